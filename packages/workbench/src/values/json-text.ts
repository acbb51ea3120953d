/** JSON as it was written. Unlike `JSON.parse` it keeps numbers as their digits (38 of them are more than a double
 *  can represent) and knows the position of everything, so that a mistake can be shown in its place. */
export type JsonNode =
  | {
      readonly kind: 'object'
      readonly members: readonly JsonMember[]
      readonly start: number
      readonly end: number
    }
  | { readonly kind: 'array'; readonly elements: readonly JsonNode[]; readonly start: number; readonly end: number }
  | { readonly kind: 'string'; readonly value: string; readonly start: number; readonly end: number }
  | { readonly kind: 'number'; readonly digits: string; readonly start: number; readonly end: number }
  | { readonly kind: 'boolean'; readonly value: boolean; readonly start: number; readonly end: number }
  | { readonly kind: 'null'; readonly start: number; readonly end: number }

export interface JsonMember {
  readonly name: string
  readonly nameStart: number
  readonly nameEnd: number
  readonly value: JsonNode
}

/** What is wrong with a text, and where. */
export class TextMistake extends Error {
  readonly start: number
  readonly end: number

  constructor(message: string, start: number, end = start + 1) {
    super(message)
    this.name = 'TextMistake'
    this.start = start
    this.end = end
  }
}

/** Throws a `TextMistake`. */
export function parseJsonText(text: string): JsonNode {
  return new Parser(text).parse()
}

/** Far beyond the service's 32, and no danger to the stack. */
const deepest = 500
const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const wordPattern = /true|false|null/y

class Parser {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  parse(): JsonNode {
    this.#skipSpace()
    if (this.#at >= this.#text.length) throw new TextMistake('There is nothing here yet.', 0, 0)
    const node = this.#value(1)
    this.#skipSpace()
    if (this.#at < this.#text.length) throw new TextMistake('There is text after the end of the value.', this.#at)
    return node
  }

  #value(depth: number): JsonNode {
    if (depth > deepest) throw new TextMistake('This is nested too deeply.', this.#at)
    const start = this.#at
    const character = this.#text[this.#at]
    if (character === '{') return this.#object(depth)
    if (character === '[') return this.#array(depth)
    if (character === '"') {
      const value = this.#string()
      return { kind: 'string', value, start, end: this.#at }
    }
    const word = this.#match(wordPattern)
    if (word === 'null') return { kind: 'null', start, end: this.#at }
    if (word !== undefined) return { kind: 'boolean', value: word === 'true', start, end: this.#at }
    const digits = this.#match(numberPattern)
    if (digits !== undefined) return { kind: 'number', digits, start, end: this.#at }
    throw new TextMistake(
      character === undefined
        ? 'The text is incomplete.'
        : `Expected a value here, not ${JSON.stringify(character)}.`,
      this.#at,
    )
  }

  #object(depth: number): JsonNode {
    const start = this.#at++
    const members: JsonMember[] = []
    const names = new Set<string>()
    this.#skipSpace()
    while (this.#text[this.#at] !== '}') {
      if (members.length > 0) this.#expect(',', 'a comma or the end of the object')
      if (this.#text[this.#at] !== '"') throw new TextMistake('Expected a name in double quotes here.', this.#at)
      const nameStart = this.#at
      const name = this.#string()
      if (names.has(name)) throw new TextMistake(`"${name}" is here twice.`, nameStart, this.#at)
      names.add(name)
      const nameEnd = this.#at
      this.#skipSpace()
      this.#expect(':', 'a colon')
      members.push({ name, nameStart, nameEnd, value: this.#value(depth + 1) })
      this.#skipSpace()
    }
    this.#at++
    return { kind: 'object', members, start, end: this.#at }
  }

  #array(depth: number): JsonNode {
    const start = this.#at++
    const elements: JsonNode[] = []
    this.#skipSpace()
    while (this.#text[this.#at] !== ']') {
      if (elements.length > 0) this.#expect(',', 'a comma or the end of the list')
      elements.push(this.#value(depth + 1))
      this.#skipSpace()
    }
    this.#at++
    return { kind: 'array', elements, start, end: this.#at }
  }

  /** Walked rather than matched: 400 KB of text would be as many steps to go back for a pattern. */
  #string(): string {
    const start = this.#at
    let end = start + 1
    while (end < this.#text.length && this.#text[end] !== '"' && this.#text.charCodeAt(end) >= 0x20) {
      end += this.#text[end] === '\\' ? 2 : 1
    }
    if (this.#text[end] !== '"') throw new TextMistake('This string does not end on the same line.', start, end)
    this.#at = end + 1
    try {
      return JSON.parse(this.#text.slice(start, this.#at)) as string
    } catch {
      throw new TextMistake('This string contains an escape sequence that JSON does not have.', start, this.#at)
    }
  }

  #expect(character: string, name: string): void {
    if (this.#text[this.#at] !== character) {
      throw new TextMistake(
        this.#at >= this.#text.length ? 'The text is incomplete.' : `Expected ${name} here.`,
        Math.min(this.#at, this.#text.length - 1),
      )
    }
    this.#at++
    this.#skipSpace()
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const matched = pattern.exec(this.#text)?.[0]
    if (matched !== undefined) this.#at += matched.length
    return matched
  }

  #skipSpace(): void {
    while (this.#at < this.#text.length && ' \t\n\r'.includes(this.#text[this.#at] ?? '')) this.#at++
  }
}
