/** Bytes that grow at the end, in one buffer that is reused from key to key. */
export class ByteWriter {
  #buffer: Uint8Array
  #end = 0

  constructor(capacity = 256) {
    this.#buffer = new Uint8Array(capacity)
  }

  get length(): number {
    return this.#end
  }

  push(byte: number): void {
    if (this.#end === this.#buffer.length) this.#grow(1)
    this.#buffer[this.#end++] = byte
  }

  append(bytes: Uint8Array): void {
    const start = this.#extend(bytes.length)
    this.#buffer.set(bytes, start)
  }

  /** Four bytes, the highest first. */
  appendUint32(value: number): void {
    const start = this.#extend(4)
    this.#buffer[start] = value >>> 24
    this.#buffer[start + 1] = value >>> 16
    this.#buffer[start + 2] = value >>> 8
    this.#buffer[start + 3] = value
  }

  /** Appends `count` zero bytes to be filled in with `set`, and returns where they start. */
  claim(count: number): number {
    const start = this.#extend(count)
    this.#buffer.fill(0, start, this.#end)
    return start
  }

  set(position: number, byte: number): void {
    this.#buffer[position] = byte
  }

  /** Inverts the bytes from `start` to the end. */
  complement(start: number): void {
    for (let position = start; position < this.#end; position++) {
      this.#buffer[position] = ~(this.#buffer[position] ?? 0)
    }
  }

  /** Forgets what was written at `length` and after. */
  truncate(length: number): void {
    if (length < this.#end) this.#end = length
  }

  reset(): void {
    this.#end = 0
  }

  /** A copy of what was written, which later writes leave alone. */
  bytes(): Uint8Array {
    return this.#buffer.slice(0, this.#end)
  }

  #extend(count: number): number {
    const start = this.#end
    if (start + count > this.#buffer.length) this.#grow(count)
    this.#end = start + count
    return start
  }

  #grow(count: number): void {
    const larger = new Uint8Array(Math.max(this.#buffer.length * 2, this.#end + count))
    larger.set(this.#buffer.subarray(0, this.#end))
    this.#buffer = larger
  }
}
