import { malformed } from './malformed.ts'

const deepestLevel = 512
/** Numbers have at most 38 digits, and their exponents three. */
const longestNumberBytes = 64

/** Reads CBOR values one after the other, in the form that DAX's clients write. */
export class CborReader {
  readonly #bytes: Buffer
  #at = 0
  #level = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  /** The kind of the value that comes next (0 to 7). */
  get major(): number {
    return this.#peek() >> 5
  }

  /** Whether null came next; if so, it is read. */
  takeNull(): boolean {
    const next = this.#peek()
    if (next !== 0xf6 && next !== 0xf7) return false
    this.#at++
    return true
  }

  /** Whether the end of a list or map without a length came next; if so, it is read. */
  takeBreak(): boolean {
    if (this.#peek() !== 0xff) return false
    this.#at++
    return true
  }

  boolean(): boolean {
    const next = this.#peek()
    // Some operations get it as a number.
    if (next >> 5 === 0) return this.integer() !== 0
    if (next !== 0xf4 && next !== 0xf5) throw malformed('a truth value is expected')
    this.#at++
    return next === 0xf5
  }

  integer(): number {
    const value = Number(this.#wholeNumber())
    if (!Number.isSafeInteger(value)) throw malformed('a number is too large')
    return value
  }

  bytes(): Buffer {
    return this.#string(2)
  }

  text(): string {
    try {
      return strictUtf8.decode(this.#string(3))
    } catch {
      throw malformed('a text is not UTF-8')
    }
  }

  /** A string that some clients write as text, and others as bytes. */
  textOrBytes(): string {
    return this.major === 3 ? this.text() : this.bytes().toString('utf8')
  }

  /** What comes after the last value that was read, as it is. */
  rest(): Buffer {
    const rest = this.#bytes.subarray(this.#at)
    this.#at = this.#bytes.length
    return rest
  }

  /** The tag that comes next, which is not read. */
  peekTag(): number {
    const before = this.#at
    const tag = this.tag()
    this.#at = before
    return tag
  }

  get isFloat(): boolean {
    const next = this.#peek()
    return next === 0xfa || next === 0xfb
  }

  tag(): number {
    const initial = this.#byte()
    if (initial >> 5 !== 6) throw malformed('a tag is expected')
    return Number(this.#argument(initial & 31))
  }

  /** Any number, as DynamoDB writes it. */
  number(): string {
    const { major } = this
    if (major < 2) return String(this.#wholeNumber())
    if (major === 7) return this.#float()
    const tag = this.tag()
    return tag === 4 ? this.#decimal() : String(this.#bigInteger(tag))
  }

  /** Reads the values of a list. */
  list(each: (index: number) => void): void {
    this.#nested(4, 1, each)
  }

  /** Reads the keys and values of a map: `each` reads both. */
  map(each: (index: number) => void): void {
    this.#nested(5, 2, each)
  }

  /** The length of a list, whose values are read next. */
  listLength(): number {
    const initial = this.#byte()
    if (initial >> 5 !== 4) throw malformed('a list is expected')
    return Number(this.#argument(initial & 31))
  }

  #nested(major: number, valuesEach: number, each: (index: number) => void): void {
    const initial = this.#byte()
    if (initial >> 5 !== major) throw malformed(major === 4 ? 'a list is expected' : 'a map is expected')
    if (++this.#level > deepestLevel) throw malformed('it nests too deeply')
    const isEndless = (initial & 31) === 31
    const length = isEndless ? Number.POSITIVE_INFINITY : Number(this.#argument(initial & 31))
    for (let index = 0; index < length; index++) {
      if (isEndless && this.takeBreak()) break
      const before = this.#at
      each(index)
      if (this.#at < before + valuesEach) throw malformed('it ends too early')
    }
    this.#level--
  }

  #wholeNumber(): bigint {
    const initial = this.#byte()
    const major = initial >> 5
    if (major === 0) return this.#argument(initial & 31)
    if (major === 1) return -1n - this.#argument(initial & 31)
    if (major === 6) return this.#bigInteger(Number(this.#argument(initial & 31)))
    throw malformed('a whole number is expected')
  }

  #bigInteger(tag: number): bigint {
    if (tag !== 2 && tag !== 3) throw malformed('a number is expected')
    const bytes = this.bytes()
    if (bytes.length > longestNumberBytes) throw malformed('a number is too large')
    const value = bytes.length === 0 ? 0n : BigInt(`0x${bytes.toString('hex')}`)
    return tag === 2 ? value : -1n - value
  }

  #decimal(): string {
    if (this.listLength() !== 2) throw malformed('a number has two parts')
    const exponent = this.integer()
    return `${this.#wholeNumber()}e${exponent}`
  }

  #float(): string {
    const info = this.#byte() & 31
    if (info === 26) return finite(this.#take(4).readFloatBE(0))
    if (info === 27) return finite(this.#take(8).readDoubleBE(0))
    throw malformed('a number is expected')
  }

  #string(major: number): Buffer {
    const initial = this.#byte()
    if (initial >> 5 !== major) throw malformed(major === 2 ? 'bytes are expected' : 'a text is expected')
    if ((initial & 31) !== 31) return this.#take(Number(this.#argument(initial & 31)))
    const pieces: Buffer[] = []
    while (!this.takeBreak()) {
      const piece = this.#byte()
      if (piece >> 5 !== major || (piece & 31) === 31) throw malformed('a string has a piece of another kind')
      pieces.push(this.#take(Number(this.#argument(piece & 31))))
    }
    return Buffer.concat(pieces)
  }

  #argument(info: number): bigint {
    if (info < 24) return BigInt(info)
    switch (info) {
      case 24:
        return BigInt(this.#byte())
      case 25:
        return BigInt(this.#take(2).readUInt16BE(0))
      case 26:
        return BigInt(this.#take(4).readUInt32BE(0))
      case 27:
        return this.#take(8).readBigUInt64BE(0)
      default:
        throw malformed('it has an unknown length')
    }
  }

  #peek(): number {
    const next = this.#bytes[this.#at]
    if (next === undefined) throw malformed('it ends too early')
    return next
  }

  #byte(): number {
    const byte = this.#peek()
    this.#at++
    return byte
  }

  #take(length: number): Buffer {
    const end = this.#at + length
    if (end > this.#bytes.length) throw malformed('it ends too early')
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function finite(value: number): string {
  if (!Number.isFinite(value)) throw malformed('a number is not finite')
  return String(value)
}
