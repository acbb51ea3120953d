/** JSON text that is already in wire format, as stored: it is copied into responses without being parsed. */
export class RawJson {
  readonly #bytes: Buffer
  readonly #start: number

  /** The text is what follows `start`. */
  constructor(bytes: Buffer, start = 0) {
    this.#bytes = bytes
    this.#start = start
  }

  get length(): number {
    return this.#bytes.length - this.#start
  }

  parse(): unknown {
    return JSON.parse(this.#bytes.toString('utf8', this.#start))
  }

  /** Whether the same text is in `bytes`, between these positions. */
  isBetween(bytes: Buffer, from: number, to: number): boolean {
    return to - from === this.length && this.#bytes.compare(bytes, from, to, this.#start) === 0
  }

  /** Copies the text into `target` and returns where it ends there. */
  copyTo(target: Buffer, offset: number): number {
    return offset + this.#bytes.copy(target, offset, this.#start)
  }
}

/** The response of an operation as the bytes of its JSON: stored items are copied, the rest is serialized. No
 *  response is no bytes. */
export function toJsonBytes(answer: unknown): Buffer {
  if (answer === undefined) return Buffer.alloc(0)
  const pieces = new JsonPieces()
  pieces.write(answer)
  return pieces.join()
}

/** Text and stored items alternate. */
class JsonPieces {
  readonly #pieces: (string | RawJson)[] = []
  #text = ''

  write(value: unknown): void {
    if (value instanceof RawJson) {
      if (this.#text !== '') this.#pieces.push(this.#text)
      this.#text = ''
      this.#pieces.push(value)
    } else if (Array.isArray(value)) {
      this.#text += '['
      for (let index = 0; index < value.length; index++) {
        if (index > 0) this.#text += ','
        this.write(value[index])
      }
      this.#text += ']'
    } else if (typeof value === 'object' && value !== null) {
      this.#writeMembers(value as Readonly<Record<string, unknown>>)
    } else {
      this.#text += JSON.stringify(value)
    }
  }

  #writeMembers(members: Readonly<Record<string, unknown>>): void {
    this.#text += '{'
    let first = true
    for (const name of Object.keys(members)) {
      const member = members[name]
      if (member === undefined) continue
      this.#text += first ? `${JSON.stringify(name)}:` : `,${JSON.stringify(name)}:`
      first = false
      this.write(member)
    }
    this.#text += '}'
  }

  join(): Buffer {
    const pieces = this.#pieces
    if (pieces.length === 0) return Buffer.from(this.#text, 'utf8')
    if (this.#text !== '') pieces.push(this.#text)
    let lengthBytes = 0
    for (const piece of pieces) lengthBytes += typeof piece === 'string' ? utf8Length(piece) : piece.length
    const joined = Buffer.allocUnsafe(lengthBytes)
    let offset = 0
    for (const piece of pieces) {
      offset = typeof piece === 'string' ? writeText(joined, offset, piece) : piece.copyTo(joined, offset)
    }
    return joined
  }
}

/** Between items there are one or two characters: writing them directly is faster than asking the runtime. */
const shortText = 64

function utf8Length(text: string): number {
  return isShortAscii(text) ? text.length : Buffer.byteLength(text)
}

function writeText(target: Buffer, offset: number, text: string): number {
  if (!isShortAscii(text)) return offset + target.write(text, offset)
  for (let index = 0; index < text.length; index++) target[offset + index] = text.charCodeAt(index)
  return offset + text.length
}

function isShortAscii(text: string): boolean {
  if (text.length > shortText) return false
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return false
  return true
}

/** The same response as plain objects, for callers in the process. */
export function toPlain(answer: unknown): unknown {
  if (answer instanceof RawJson) return answer.parse()
  if (Array.isArray(answer)) return answer.map(toPlain)
  if (typeof answer !== 'object' || answer === null) return answer
  const plain: Record<string, unknown> = {}
  const members = answer as Readonly<Record<string, unknown>>
  for (const name of Object.keys(members)) {
    const member = members[name]
    if (member !== undefined) setMember(plain, name, toPlain(member))
  }
  return plain
}

/** Items may be projected, and so have any name here. */
function setMember(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
  } else {
    target[name] = value
  }
}
