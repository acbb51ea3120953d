import { IonFault, noSuchType, notAnItem } from './ion-faults.ts'
import { deepestIon, ionList, IonStruct, itemOf, type IonValue } from './ion-values.ts'

/** The item of one line of Ion text: `$ion_1_0 {Item:{…}}`. Throws an IonFault if there is none. */
export function readIonLine(text: string): unknown {
  const reader = new IonTextReader(text)
  const row = reader.readOnlyValue()
  const item = row === undefined ? undefined : itemOf(row)
  if (item === undefined) throw notAnItem()
  return item
}

const versionMarker = '$ion_1_0'
const identifierStart = /[A-Za-z_$]/
const identifierRest = /[A-Za-z0-9_$]*/y
/** Up to the next delimiter; what it is, is decided afterwards. */
const numberToken = /[-+0-9][A-Za-z0-9_.:+-]*/y
const base64Token = /[A-Za-z0-9+/=\s]*/y
const decimal = /^-?(?:0|[1-9](?:_?\d)*)(?:\.(?:\d(?:_?\d)*)?)?(?:[dDeE][+-]?\d+)?$/

class IonTextReader {
  readonly #text: string
  #position = 0

  constructor(text: string) {
    this.#text = text
  }

  /** The one value of the text, markers of Ion's version aside; undefined if there is none. */
  readOnlyValue(): IonValue | undefined {
    this.#skipVersionMarkers()
    if (this.#atEnd()) return undefined
    const value = this.#readValue(0)
    this.#skipSpace()
    if (!this.#atEnd()) throw this.#unexpected()
    return value
  }

  #skipVersionMarkers(): void {
    this.#skipSpace()
    while (this.#text.startsWith(versionMarker, this.#position)) {
      const next = this.#text.charAt(this.#position + versionMarker.length)
      if (next !== '' && !/\s/.test(next)) return
      this.#position += versionMarker.length
      this.#skipSpace()
    }
  }

  #readValue(depth: number): IonValue {
    if (depth > deepestIon) throw new IonFault('Nesting Levels have exceeded supported limits')
    const annotations = this.#readAnnotations()
    const next = this.#peek()
    if (next === '"') return { S: this.#readQuoted('"') }
    if (next === '{') {
      return this.#text.charAt(this.#position + 1) === '{' ? this.#readBlob() : this.#readStruct(depth)
    }
    if (next === '[') return ionList(annotations, this.#readList(depth))
    if (next === "'") {
      if (this.#text.startsWith("'''", this.#position)) return { S: this.#readLongStrings() }
      throw noSuchType('symbol')
    }
    if (next === '(') throw noSuchType('sexp')
    if (identifierStart.test(next)) return this.#readWord()
    return this.#readNumber()
  }

  /** `name::` before a value, once or more. */
  #readAnnotations(): readonly string[] {
    const annotations: string[] = []
    for (;;) {
      this.#skipSpace()
      const start = this.#position
      const next = this.#peek()
      const isLongString = this.#text.startsWith("'''", start)
      if ((next !== "'" || isLongString) && !identifierStart.test(next)) return annotations
      const name = next === "'" ? this.#readQuoted("'") : this.#match(identifierRest)
      this.#skipSpace()
      if (!this.#text.startsWith('::', this.#position)) {
        this.#position = start
        return annotations
      }
      this.#position += 2
      annotations.push(name)
    }
  }

  #readStruct(depth: number): IonValue {
    const struct = new IonStruct()
    this.#position++
    this.#skipSpace()
    while (this.#peek() !== '}') {
      const name = this.#readFieldName()
      this.#expect(':')
      struct.set(name, this.#readValue(depth + 1))
      if (!this.#skipComma('}')) break
    }
    this.#expect('}')
    return struct.value
  }

  #readFieldName(): string {
    const next = this.#peek()
    if (next === '"') return this.#readQuoted('"')
    if (next === "'") {
      return this.#text.startsWith("'''", this.#position) ? this.#readLongStrings() : this.#readQuoted("'")
    }
    if (!identifierStart.test(next)) throw this.#unexpected()
    return this.#match(identifierRest)
  }

  #readList(depth: number): readonly IonValue[] {
    const elements: IonValue[] = []
    this.#position++
    this.#skipSpace()
    while (this.#peek() !== ']') {
      elements.push(this.#readValue(depth + 1))
      if (!this.#skipComma(']')) break
    }
    this.#expect(']')
    return elements
  }

  #readBlob(): IonValue {
    this.#position += 2
    this.#skipPlainSpace()
    const next = this.#peek()
    if (next === '"' || next === "'") throw noSuchType('clob')
    const base64 = this.#match(base64Token).replaceAll(/\s+/g, '')
    if (!this.#text.startsWith('}}', this.#position)) throw this.#unexpected()
    this.#position += 2
    return { B: base64 }
  }

  #readWord(): IonValue {
    const word = this.#match(identifierRest)
    if (word === 'true' || word === 'false') return { BOOL: word === 'true' }
    if (word === 'null') {
      if (this.#peek() === '.') {
        this.#position++
        this.#match(identifierRest)
      }
      return { NULL: true }
    }
    throw word === 'nan' ? noSuchType('float') : noSuchType('symbol')
  }

  #readNumber(): IonValue {
    const token = this.#match(numberToken)
    if (token === '') throw this.#unexpected()
    if (decimal.test(token)) return { N: token.replaceAll('_', '').replace(/[dD]/, 'E') }
    if (/^-?0[xXbB][0-9A-Fa-f_]+$/.test(token)) return { N: readRadix(token) }
    if (/^\d{4}(?:-|T)/.test(token)) throw noSuchType('timestamp')
    throw new IonFault(`${token.slice(0, 60)} is no number`)
  }

  #readLongStrings(): string {
    let whole = ''
    while (this.#text.startsWith("'''", this.#position)) {
      this.#position += 3
      whole += this.#readUntil("'''")
      this.#skipSpace()
    }
    return whole
  }

  #readQuoted(quote: '"' | "'"): string {
    this.#position++
    return this.#readUntil(quote)
  }

  #readUntil(end: string): string {
    let read = ''
    let start = this.#position
    for (let position = start; position < this.#text.length; position++) {
      const character = this.#text.charAt(position)
      if (character === '\\') {
        read += this.#text.slice(start, position)
        this.#position = position + 1
        read += this.#readEscape()
        start = this.#position
        position = start - 1
      } else if (character === end.charAt(0) && this.#text.startsWith(end, position)) {
        this.#position = position + end.length
        return read + this.#text.slice(start, position)
      }
    }
    throw new IonFault('The line ends within a string')
  }

  #readEscape(): string {
    const character = this.#text.charAt(this.#position++)
    switch (character) {
      case 'x':
        return this.#readCode(2)
      case 'u':
        return this.#readCode(4)
      case 'U':
        return this.#readCode(8)
      default: {
        const plain = escapes.get(character)
        if (plain === undefined) throw new IonFault(`\\${character} is no escape of Ion`)
        return plain
      }
    }
  }

  #readCode(digits: number): string {
    const hex = this.#text.slice(this.#position, this.#position + digits)
    const code = Number.parseInt(hex, 16)
    if (hex.length < digits || !/^[0-9A-Fa-f]+$/.test(hex) || code > 0x10ffff) {
      throw new IonFault(`\\${hex} is no character`)
    }
    this.#position += digits
    return String.fromCodePoint(code)
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#position
    const [found = ''] = pattern.exec(this.#text) ?? []
    this.#position += found.length
    return found
  }

  #skipComma(end: string): boolean {
    this.#skipSpace()
    if (this.#peek() !== ',') return false
    this.#position++
    this.#skipSpace()
    return this.#peek() !== end
  }

  #expect(character: string): void {
    this.#skipSpace()
    if (this.#peek() !== character) throw this.#unexpected()
    this.#position++
  }

  /** Blanks and comments. */
  #skipSpace(): void {
    for (;;) {
      this.#skipPlainSpace()
      if (this.#text.startsWith('//', this.#position)) {
        const end = this.#text.indexOf('\n', this.#position)
        this.#position = end < 0 ? this.#text.length : end
      } else if (this.#text.startsWith('/*', this.#position)) {
        const end = this.#text.indexOf('*/', this.#position + 2)
        if (end < 0) throw new IonFault('The line ends within a comment')
        this.#position = end + 2
      } else {
        return
      }
    }
  }

  #skipPlainSpace(): void {
    while (this.#position < this.#text.length && this.#text.charCodeAt(this.#position) <= 0x20) this.#position++
  }

  #peek(): string {
    return this.#text.charAt(this.#position)
  }

  #atEnd(): boolean {
    return this.#position >= this.#text.length
  }

  #unexpected(): IonFault {
    if (this.#atEnd()) return new IonFault('The line ends within a value')
    return new IonFault(
      `Character ${this.#position + 1} of the line, ${JSON.stringify(this.#peek())}, is unexpected`,
    )
  }
}

function readRadix(token: string): string {
  const isNegative = token.startsWith('-')
  const digits = token.replaceAll('_', '').replace('-', '')
  // Longer ones have more digits than a number may.
  if (digits.length > 140) throw new IonFault('A number has too many digits')
  try {
    return `${isNegative ? '-' : ''}${BigInt(digits)}`
  } catch {
    throw new IonFault(`${token.slice(0, 60)} is no number`)
  }
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\u0007'],
  ['b', '\b'],
  ['t', '\t'],
  ['n', '\n'],
  ['f', '\f'],
  ['r', '\r'],
  ['v', '\v'],
  ['"', '"'],
  ["'", "'"],
  ['?', '?'],
  ['\\', '\\'],
  ['/', '/'],
])
