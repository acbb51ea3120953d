/** JSON text that is already in wire form, as stored: it is copied into answers without being parsed. */
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

  /** Copies the text into `target` and returns where it ends there. */
  copyTo(target: Buffer, offset: number): number {
    return offset + this.#bytes.copy(target, offset, this.#start)
  }
}

/** An operation's answer as the bytes of its JSON: stored items are copied, the rest is written. No answer is no bytes. */
export function toJsonBytes(answer: unknown): Buffer {
  if (answer === undefined) return Buffer.alloc(0)
  const parts: (string | RawJson)[] = []
  let text = ''
  const write = (value: unknown): void => {
    if (value instanceof RawJson) {
      if (text !== '') parts.push(text)
      text = ''
      parts.push(value)
    } else if (Array.isArray(value)) {
      text += '['
      for (let index = 0; index < value.length; index++) {
        if (index > 0) text += ','
        write(value[index])
      }
      text += ']'
    } else if (typeof value === 'object' && value !== null) {
      text += '{'
      let first = true
      for (const name of Object.keys(value)) {
        const member = (value as Record<string, unknown>)[name]
        if (member === undefined) continue
        text += first ? `${JSON.stringify(name)}:` : `,${JSON.stringify(name)}:`
        first = false
        write(member)
      }
      text += '}'
    } else {
      text += JSON.stringify(value)
    }
  }
  write(answer)
  if (parts.length === 0) return Buffer.from(text, 'utf8')
  if (text !== '') parts.push(text)
  return joinParts(parts)
}

/** The same answer as plain objects, for callers in the process. */
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

/** Items may be shown cut down, and so have any name here. */
function setMember(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
  } else {
    target[name] = value
  }
}

function joinParts(parts: readonly (string | RawJson)[]): Buffer {
  let lengthBytes = 0
  for (const part of parts) lengthBytes += typeof part === 'string' ? Buffer.byteLength(part) : part.length
  const joined = Buffer.allocUnsafe(lengthBytes)
  let offset = 0
  for (const part of parts) {
    offset = typeof part === 'string' ? offset + joined.write(part, offset) : part.copyTo(joined, offset)
  }
  return joined
}
