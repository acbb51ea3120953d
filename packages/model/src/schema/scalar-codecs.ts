import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { AttributeDefinition } from './attribute.ts'
import type { Codec } from './codec.ts'
import { decimalOf, exactNumber, toBigInt } from './exact-number.ts'
import { fromIsoDate, toIsoDate } from './iso-date.ts'
import { mismatch, refusal } from './value-errors.ts'

/** As many digits as DynamoDB keeps. */
const maxDigits = 38

export function stringCodec(expected: string, accepts: (text: string) => boolean): Codec {
  return scalarCodec('S', expected, (value) => (typeof value === 'string' && accepts(value) ? value : undefined))
}

export function isoCodec({ precision = 'millisecond', readAs }: AttributeDefinition): Codec {
  return scalarCodec(
    'S',
    'an ISO 8601 date or a Date',
    (value) => (typeof value === 'string' || value instanceof Date ? toIsoDate(value, precision) : undefined),
    readAs === 'Date' ? fromIsoDate : undefined,
  )
}

export function numberCodec(expected: string, accepts: (value: number) => boolean): Codec {
  return scalarCodec(
    'N',
    expected,
    (value) => (typeof value === 'number' && accepts(value) ? String(value) : undefined),
    exactNumber,
  )
}

export const bigintCodec = scalarCodec(
  'N',
  `a bigint of at most ${maxDigits} digits`,
  (value) => (typeof value === 'bigint' || Number.isSafeInteger(value) ? storable(String(value)) : undefined),
  toBigInt,
)

export const decimalCodec = scalarCodec('N', `a number as text, of at most ${maxDigits} digits`, (value) =>
  typeof value === 'number' || typeof value === 'string' ? storable(String(value)) : undefined,
)

export const ttlCodec = scalarCodec(
  'N',
  // The service ignores what is more than five years past, so milliseconds would never expire.
  'whole seconds since 1970 (not milliseconds) or a Date',
  (value) => {
    const seconds = value instanceof Date ? Math.floor(value.getTime() / 1000) : value
    return Number.isSafeInteger(seconds) && Number(seconds) <= 100_000_000_000 ? String(seconds) : undefined
  },
  Number,
)

export const booleanCodec = scalarCodec('BOOL', 'true or false', (value) =>
  typeof value === 'boolean' ? value : undefined,
)

export const binaryCodec = scalarCodec('B', 'a Uint8Array', (value) =>
  value instanceof Uint8Array ? value : undefined,
)

type Scalar = 'S' | 'N' | 'BOOL' | 'B'

/** Both `encode` and `decode` give undefined for what they do not take. */
function scalarCodec<T extends Scalar>(
  type: T,
  expected: string,
  encode: (value: unknown) => AttributeValue[T],
  decode: (stored: NonNullable<AttributeValue[T]>, path: string) => unknown = (stored) => stored,
): Codec {
  return {
    encode: (value, path) => {
      const stored = encode(value)
      if (stored === undefined) throw refusal(path, expected, value)
      return { [type]: stored } as unknown as AttributeValue
    },
    decode: (stored, path) =>
      decode(stored[type] ?? mismatch(path, type, stored), path) ?? mismatch(path, expected, stored),
  }
}

function storable(text: string): string | undefined {
  const digits = decimalOf(text)?.digits.length
  return digits !== undefined && digits <= maxDigits ? text : undefined
}
