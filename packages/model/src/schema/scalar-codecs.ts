import type { AttributeDefinition } from './attribute.ts'
import type { Codec } from './codec.ts'
import { decimalOf, exactNumber, toBigInt } from './exact-number.ts'
import { fromIsoDate, toIsoDate } from './iso-date.ts'
import { mismatch, refusal } from './value-errors.ts'

export function stringCodec(expected: string, accepts: (text: string) => boolean): Codec {
  return {
    encode: (value, path) => {
      if (typeof value !== 'string' || !accepts(value)) throw refusal(path, expected, value)
      return { S: value }
    },
    decode: (stored, path) => stored.S ?? mismatch(path, 'S', stored),
  }
}

export function isoCodec({ precision = 'millisecond', readAs }: AttributeDefinition): Codec {
  return {
    encode: (value, path) => {
      const text = typeof value === 'string' || value instanceof Date ? toIsoDate(value, precision) : undefined
      if (text === undefined) throw refusal(path, 'an ISO 8601 date or a Date', value)
      return { S: text }
    },
    decode: (stored, path) => {
      const text = stored.S ?? mismatch(path, 'S', stored)
      return readAs === 'Date' ? (fromIsoDate(text) ?? mismatch(path, 'an ISO 8601 date', stored)) : text
    },
  }
}

export function numberCodec(expected: string, accepts: (value: number) => boolean): Codec {
  return {
    encode: (value, path) => {
      if (typeof value !== 'number' || !accepts(value)) throw refusal(path, expected, value)
      return { N: String(value) }
    },
    decode: (stored, path) => exactNumber(stored.N ?? mismatch(path, 'N', stored), path),
  }
}

/** As many digits as DynamoDB keeps. */
const maxDigits = 38

export const bigintCodec: Codec = {
  encode: (value, path) => {
    const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value)
    const text = String(value)
    if (!isWhole || (decimalOf(text)?.digits.length ?? 0) > maxDigits) {
      throw refusal(path, `a bigint of at most ${maxDigits} digits`, value)
    }
    return { N: text }
  },
  decode: (stored, path) =>
    toBigInt(stored.N ?? mismatch(path, 'N', stored)) ?? mismatch(path, 'a whole number', stored),
}

export const decimalCodec: Codec = {
  encode: (value, path) => {
    const text = typeof value === 'number' ? String(value) : value
    const decimal = typeof text === 'string' ? decimalOf(text) : undefined
    if (typeof text !== 'string' || decimal === undefined || decimal.digits.length > maxDigits) {
      throw refusal(path, `a number as text, of at most ${maxDigits} digits`, value)
    }
    return { N: text }
  },
  decode: (stored, path) => stored.N ?? mismatch(path, 'N', stored),
}

export const ttlCodec: Codec = {
  encode: (value, path) => {
    const seconds = value instanceof Date ? Math.floor(value.getTime() / 1000) : value
    if (typeof seconds !== 'number' || !Number.isSafeInteger(seconds)) {
      throw refusal(path, 'whole seconds since 1970 or a Date', value)
    }
    // The service ignores what is more than five years past, so milliseconds would never expire.
    if (seconds > 100_000_000_000) throw refusal(path, 'seconds since 1970, not milliseconds', value)
    return { N: String(seconds) }
  },
  decode: (stored, path) => (stored.N === undefined ? mismatch(path, 'N', stored) : Number(stored.N)),
}

export const booleanCodec: Codec = {
  encode: (value, path) => {
    if (typeof value !== 'boolean') throw refusal(path, 'true or false', value)
    return { BOOL: value }
  },
  decode: (stored, path) => stored.BOOL ?? mismatch(path, 'BOOL', stored),
}

export const binaryCodec: Codec = {
  encode: (value, path) => {
    if (!(value instanceof Uint8Array)) throw refusal(path, 'a Uint8Array', value)
    return { B: value }
  },
  decode: (stored, path) => stored.B ?? mismatch(path, 'B', stored),
}
