import { serializationException, ServiceError } from '@hashrange/core'

/** The part of CBOR (RFC 8949) that Smithy's RPC v2 protocol and Kinesis's clients use. Written here because it is small,
 *  and because what a client sends must neither nest without end nor ask for more memory than it has sent bytes. */

/** Times are in seconds in Smithy's protocol, and in milliseconds in the older one of Kinesis. */
export type CborTimes = 'seconds' | 'milliseconds'

const deepestLevel = 64
/** A value may be one byte long, and takes many times as much memory. Far above what any operation needs. */
const mostValues = 200_000
const breakMark = Symbol('break')
const timeTag = 1

/** Times, which CBOR marks with the tag 1, are returned as seconds since 1970, as in JSON; bytes as base64. */
export function decodeCbor(bytes: Uint8Array, times: CborTimes = 'seconds'): unknown {
  const reader = new CborReader(bytes, times)
  const value = reader.value(0)
  if (value === breakMark || !reader.atEnd) throw malformed('it is not a single value')
  return value
}

class CborReader {
  readonly #bytes: Buffer
  readonly #times: CborTimes
  #at = 0
  #values = 0

  constructor(bytes: Uint8Array, times: CborTimes) {
    this.#times = times
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  value(level: number): unknown {
    if (level > deepestLevel) throw malformed('it nests too deeply')
    if (++this.#values > mostValues) throw tooMany()
    const initial = this.#byte()
    const major = initial >> 5
    const info = initial & 31
    switch (major) {
      case 0:
        return this.#argument(info)
      case 1:
        return -1 - this.#argument(info)
      case 2:
        return this.#string(info, major).toString('base64')
      case 3:
        return this.#text(info)
      case 4:
        return this.#list(info, level)
      case 5:
        return this.#map(info, level)
      case 6:
        return this.#tagged(this.#argument(info), level)
      default:
        return this.#simple(info)
    }
  }

  #tagged(tag: number, level: number): unknown {
    const value = this.value(level + 1)
    if (value === breakMark) throw malformed('a tag has no value')
    return tag === timeTag && this.#times === 'milliseconds' && typeof value === 'number' ? value / 1000 : value
  }

  #simple(info: number): unknown {
    switch (info) {
      case 20:
        return false
      case 21:
        return true
      case 22:
      case 23:
        return null
      case 25:
        return finite(halfFloat(this.#take(2).readUInt16BE(0)))
      case 26:
        return finite(this.#take(4).readFloatBE(0))
      case 27:
        return finite(this.#take(8).readDoubleBE(0))
      case 31:
        return breakMark
      default:
        throw malformed('it contains an unknown simple value')
    }
  }

  #list(info: number, level: number): unknown[] {
    const list: unknown[] = []
    const length = this.#length(info) ?? Number.POSITIVE_INFINITY
    while (list.length < length) {
      const value = this.value(level + 1)
      if (value !== breakMark) list.push(value)
      else if (length === Number.POSITIVE_INFINITY) break
      else throw malformed('a list ends too early')
    }
    return list
  }

  /** Without a prototype: names are the client's choice, `__proto__` among them. */
  #map(info: number, level: number): Record<string, unknown> {
    const map = Object.create(null) as Record<string, unknown>
    const length = this.#length(info) ?? Number.POSITIVE_INFINITY
    for (let count = 0; count < length; count++) {
      const name = this.value(level + 1)
      if (name === breakMark && length === Number.POSITIVE_INFINITY) break
      if (typeof name !== 'string') throw malformed('a map has a key that is not text')
      const value = this.value(level + 1)
      if (value === breakMark) throw malformed('a map ends after a key')
      map[name] = value
    }
    return map
  }

  #text(info: number): string {
    const text = this.#string(info, 3)
    try {
      return strictUtf8.decode(text)
    } catch {
      throw malformed('a text is not UTF-8')
    }
  }

  /** A string in one piece, or in several of the same kind. */
  #string(info: number, major: number): Buffer {
    const length = this.#length(info)
    if (length !== undefined) return this.#take(length)
    const pieces: Buffer[] = []
    for (;;) {
      if (++this.#values > mostValues) throw tooMany()
      const initial = this.#byte()
      if (initial === 0xff) return Buffer.concat(pieces)
      if (initial >> 5 !== major || (initial & 31) === 31) throw malformed('a string has a piece of another kind')
      pieces.push(this.#take(this.#argument(initial & 31)))
    }
  }

  /** Undefined if the length is not given beforehand. */
  #length(info: number): number | undefined {
    return info === 31 ? undefined : this.#argument(info)
  }

  #argument(info: number): number {
    if (info < 24) return info
    switch (info) {
      case 24:
        return this.#byte()
      case 25:
        return this.#take(2).readUInt16BE(0)
      case 26:
        return this.#take(4).readUInt32BE(0)
      case 27:
        return Number(this.#take(8).readBigUInt64BE(0))
      default:
        throw malformed('it contains an unknown length')
    }
  }

  #byte(): number {
    return this.#take(1).readUInt8(0)
  }

  #take(length: number): Buffer {
    const end = this.#at + length
    if (end > this.#bytes.length) throw malformed('it ends too early')
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

function finite(value: number): number {
  if (!Number.isFinite(value)) throw malformed('it contains a number that is not finite')
  return value
}

function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25)
}

function tooMany(): Error {
  return new ServiceError('RequestEntityTooLargeException', `The request body has more than ${mostValues} values.`)
}

function malformed(reason: string): Error {
  return serializationException(`The request body is not valid CBOR: ${reason}.`)
}

/** A `Date` becomes a time, bytes stay bytes, a `Map` and an object become a map; members that are undefined are left
 *  out. */
export function encodeCbor(value: unknown, times: CborTimes = 'seconds'): Buffer {
  const parts: Uint8Array[] = []
  writeValue(parts, value, times)
  return Buffer.concat(parts)
}

function writeValue(parts: Uint8Array[], value: unknown, times: CborTimes): void {
  if (typeof value === 'string') {
    const text = Buffer.from(value, 'utf8')
    parts.push(head(3, text.length), text)
  } else if (typeof value === 'number') {
    parts.push(Number.isSafeInteger(value) ? integer(value) : double(value))
  } else if (typeof value === 'boolean') {
    parts.push(Buffer.of(value ? 0xf5 : 0xf4))
  } else if (value === null || value === undefined) {
    parts.push(Buffer.of(0xf6))
  } else if (value instanceof Date) {
    const ms = value.getTime()
    parts.push(Buffer.of(0xc0 | timeTag), times === 'seconds' ? double(ms / 1000) : integer(Math.round(ms)))
  } else if (value instanceof Uint8Array) {
    parts.push(head(2, value.length), value)
  } else if (Array.isArray(value)) {
    parts.push(head(4, value.length))
    for (const element of value) writeValue(parts, element, times)
  } else if (typeof value === 'object') {
    const members = (value instanceof Map ? [...value] : Object.entries(value)).filter(
      ([, member]) => member !== undefined,
    )
    parts.push(head(5, members.length))
    for (const [name, member] of members) {
      writeValue(parts, name, times)
      writeValue(parts, member, times)
    }
  } else {
    throw new TypeError(`CBOR has no form for a ${typeof value}`)
  }
}

function integer(value: number): Buffer {
  return value < 0 ? head(1, -1 - value) : head(0, value)
}

function double(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(9)
  bytes[0] = 0xfb
  bytes.writeDoubleBE(value, 1)
  return bytes
}

function head(major: number, argument: number): Buffer {
  const kind = major << 5
  if (argument < 24) return Buffer.of(kind | argument)
  if (argument < 0x1_00) return Buffer.of(kind | 24, argument)
  if (argument < 0x1_0000) {
    const bytes = Buffer.of(kind | 25, 0, 0)
    bytes.writeUInt16BE(argument, 1)
    return bytes
  }
  if (argument < 0x1_0000_0000) {
    const bytes = Buffer.of(kind | 26, 0, 0, 0, 0)
    bytes.writeUInt32BE(argument, 1)
    return bytes
  }
  const bytes = Buffer.allocUnsafe(9)
  bytes[0] = kind | 27
  bytes.writeBigUInt64BE(BigInt(argument), 1)
  return bytes
}
