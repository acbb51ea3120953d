/** Writes CBOR values one after the other, in the form that DAX's clients read. */
export class CborWriter {
  #bytes = Buffer.allocUnsafe(512)
  #length = 0

  /** What was written; the writer is not used again. */
  take(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  raw(bytes: Uint8Array): this {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
    return this
  }

  null(): this {
    return this.#byte(0xf6)
  }

  boolean(value: boolean): this {
    return this.#byte(value ? 0xf5 : 0xf4)
  }

  integer(value: number | bigint): this {
    return value < 0 ? this.#head(1, typeof value === 'bigint' ? -1n - value : -1 - value) : this.#head(0, value)
  }

  /** Clients read some numbers only in this form. */
  double(value: number): this {
    this.#byte(0xfb)
    this.#reserve(8)
    this.#length = this.#bytes.writeDoubleBE(value, this.#length)
    return this
  }

  text(value: string): this {
    const length = Buffer.byteLength(value, 'utf8')
    this.#head(3, length)
    this.#reserve(length)
    this.#length += this.#bytes.write(value, this.#length, 'utf8')
    return this
  }

  bytes(value: Uint8Array): this {
    return this.#head(2, value.length).raw(value)
  }

  list(length: number): this {
    return this.#head(4, length)
  }

  map(length: number): this {
    return this.#head(5, length)
  }

  /** A map that ends with `end`. */
  beginMap(): this {
    return this.#byte(0xbf)
  }

  end(): this {
    return this.#byte(0xff)
  }

  tag(tag: number): this {
    return this.#head(6, tag)
  }

  /** A number in DynamoDB's canonical form. */
  number(text: string): this {
    const point = text.indexOf('.')
    if (point < 0) return this.#wholeNumber(text)
    this.tag(4).list(2)
    return this.integer(point + 1 - text.length).#wholeNumber(text.slice(0, point) + text.slice(point + 1))
  }

  #wholeNumber(text: string): this {
    if (text.length <= 15) return this.integer(Number(text))
    const value = BigInt(text)
    const magnitude = value < 0n ? -1n - value : value
    if (magnitude < 0x1_0000_0000_0000_0000n) return this.integer(value)
    const hex = magnitude.toString(16)
    return this.tag(value < 0n ? 3 : 2).bytes(Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex'))
  }

  #head(major: number, argument: number | bigint): this {
    const kind = major << 5
    if (argument < 24) return this.#byte(kind | Number(argument))
    this.#reserve(9)
    if (argument < 0x100) {
      this.#bytes[this.#length] = kind | 24
      this.#length = this.#bytes.writeUInt8(Number(argument), this.#length + 1)
    } else if (argument < 0x1_0000) {
      this.#bytes[this.#length] = kind | 25
      this.#length = this.#bytes.writeUInt16BE(Number(argument), this.#length + 1)
    } else if (argument < 0x1_0000_0000) {
      this.#bytes[this.#length] = kind | 26
      this.#length = this.#bytes.writeUInt32BE(Number(argument), this.#length + 1)
    } else {
      this.#bytes[this.#length] = kind | 27
      this.#length = this.#bytes.writeBigUInt64BE(BigInt(argument), this.#length + 1)
    }
    return this
  }

  #byte(value: number): this {
    this.#reserve(1)
    this.#bytes[this.#length++] = value
    return this
  }

  #reserve(length: number): void {
    if (this.#length + length <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + length))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}
