/** Is called with the kind of a message, and with where its body is. */
type Receive = (kind: number, bytes: Buffer, from: number, to: number) => void

/** What the server sent, split into messages. */
export class Inbox {
  readonly #receive: Receive
  /** The beginning of an incomplete message. */
  #parts: Buffer[] = []
  #partsLength = 0
  #wanted = 5

  constructor(receive: Receive) {
    this.#receive = receive
  }

  /** `chunk` is what bodies and rows are parts of: nobody writes to it again. */
  add(chunk: Buffer): void {
    let bytes = chunk
    if (this.#partsLength > 0) {
      this.#parts.push(chunk)
      this.#partsLength += chunk.length
      // A large message is assembled once, not with every part of it.
      if (this.#partsLength < this.#wanted) return
      bytes = Buffer.concat(this.#parts, this.#partsLength)
      this.#parts = []
      this.#partsLength = 0
    }
    let offset = 0
    while (bytes.length - offset >= 5) {
      const end = offset + 1 + bytes.readInt32BE(offset + 1)
      if (end > bytes.length) break
      this.#receive(bytes[offset] ?? 0, bytes, offset + 5, end)
      offset = end
    }
    const rest = bytes.length - offset
    if (rest === 0) return
    this.#parts.push(offset === 0 ? bytes : bytes.subarray(offset))
    this.#partsLength = rest
    this.#wanted = rest >= 5 ? 1 + bytes.readInt32BE(offset + 1) : 5
  }
}

/** The columns of a DataRow message. */
export type Row = readonly (Buffer | undefined)[]

export function rowOf(bytes: Buffer, from: number): Row {
  const count = bytes.readInt16BE(from)
  const row: (Buffer | undefined)[] = []
  let offset = from + 2
  for (let index = 0; index < count; index++) {
    const length = bytes.readInt32BE(offset)
    offset += 4
    if (length < 0) {
      row.push(undefined)
      continue
    }
    row.push(bytes.subarray(offset, offset + length))
    offset += length
  }
  return row
}

/** The fields of an ErrorResponse that say what happened: `C` is the code, `M` the message. */
export function errorFields(body: Buffer): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  let offset = 0
  while (offset < body.length && body[offset] !== 0) {
    const end = body.indexOf(0, offset + 1)
    if (end < 0) break
    fields.set(String.fromCharCode(body[offset] ?? 0), body.toString('utf8', offset + 1, end))
    offset = end + 1
  }
  return fields
}
