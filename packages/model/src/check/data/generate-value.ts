import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { DatePrecision, ValueDescription } from '../../description.ts'
import { unreachable } from '../../errors.ts'
import { toIsoDate } from '../../schema/iso-date.ts'
import { mix } from '../random.ts'

/** The start of generated time. Fixed, so that a run can be repeated. */
const epochMs = Date.UTC(2026, 0, 1)

/** The value number `n` of its kind. Different numbers give different values as far as the kind has that many; later
 *  dates, ULIDs and numbers are greater. Text contains none of the characters that separate the parts of keys. */
export function generateValue(value: ValueDescription, n: number): AttributeValue {
  switch (value.type) {
    case 'string':
      return { S: generateText(n, value.sizeBytes?.typical ?? 12) }
    case 'number':
    case 'int':
      return { N: String(generateNumber(value, n)) }
    case 'version':
      return { N: '1' }
    case 'shard':
      return { N: String(n % (value.shard?.count ?? 1)) }
    case 'ttl':
      return { N: String(Math.floor(epochMs / 1000) + 365 * 86_400 + n * 60) }
    case 'boolean':
      return { BOOL: n % 2 === 1 }
    case 'binary':
      return { B: generateBytes(n, value.sizeBytes?.typical ?? 32) }
    case 'iso':
      return { S: generateDate(value.precision ?? 'millisecond', n) }
    case 'ulid':
      return { S: generateUlid(n) }
    case 'uuid':
      return { S: generateUuid(n) }
    case 'enum': {
      const values = value.values ?? []
      return { S: values[n % values.length] ?? 'VALUE' }
    }
    case 'list':
      return { L: elementsOf(value, n) }
    case 'set':
      return generateSet(value, n)
    case 'record':
      return { M: Object.fromEntries(elementsOf(value, n).map((entry, i) => [`key${i}`, entry])) }
    case 'map': {
      const { variants } = value
      const form = variants?.of[n % variants.of.length]
      const fields = (form?.fields ?? value.fields ?? []).map(
        (field) => [field.name, generateValue(field, n)] as const,
      )
      const tag = variants === undefined || form === undefined ? {} : { [variants.tag]: { S: form.name } }
      return { M: { ...tag, ...Object.fromEntries(fields) } }
    }
    case 'any':
      return { S: generateText(n, value.sizeBytes?.typical ?? 32) }
    default:
      return unreachable(value.type)
  }
}

const letters = 'abcdefghijklmnopqrstuvwxyz'

/** `sizeBytes` of lower-case text; the number comes first, so that it stays whole when the text is short. */
export function generateText(n: number, sizeBytes: number): string {
  let text = ''
  let rest = n
  do {
    text = letters.charAt(rest % 26) + text
    rest = Math.floor(rest / 26)
  } while (rest > 0)
  // A fixed width keeps one text from being a prefix of another.
  text = text.padStart(Math.min(6, Math.max(1, sizeBytes)), 'a')
  return text.length >= sizeBytes
    ? text
    : text + 'lorem'.repeat(Math.ceil((sizeBytes - text.length) / 5)).slice(0, sizeBytes - text.length)
}

function generateNumber({ range }: ValueDescription, n: number): number {
  const min = Math.ceil(range?.min ?? 0)
  const max = Math.floor(range?.max ?? 999_999)
  return min + (n % Math.max(1, max - min + 1))
}

const stepsMs: Readonly<Record<DatePrecision, number>> = {
  year: 366 * 86_400_000,
  month: 31 * 86_400_000,
  day: 86_400_000,
  hour: 3_600_000,
  minute: 60_000,
  second: 61_000,
  millisecond: 61_001,
}

function generateDate(precision: DatePrecision, n: number): string {
  return toIsoDate(new Date(epochMs + n * stepsMs[precision]), precision) ?? '2026'
}

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

function generateUlid(n: number): string {
  let time = epochMs + n * 1000
  let text = ''
  for (let i = 0; i < 10; i++) {
    text = crockford.charAt(time % 32) + text
    time = Math.floor(time / 32)
  }
  for (let i = 0; i < 16; i++) text += crockford.charAt(mix(n * 16 + i) % 32)
  return text
}

function generateUuid(n: number): string {
  const hex = [0, 1, 2, 3]
    .map((i) =>
      mix(n * 4 + i + 1)
        .toString(16)
        .padStart(8, '0'),
    )
    .join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function generateBytes(n: number, sizeBytes: number): Uint8Array {
  return Uint8Array.from({ length: sizeBytes }, (_, i) => (n >>> (8 * (i % 4))) & 0xff)
}

function elementsOf(value: ValueDescription, n: number): AttributeValue[] {
  const element = value.element ?? { type: 'any', storedAs: 'ANY' }
  return Array.from({ length: value.count?.typical ?? 3 }, (_, i) => generateValue(element, n * 31 + i))
}

function generateSet(value: ValueDescription, n: number): AttributeValue {
  const elements = elementsOf({ ...value, count: { typical: Math.max(1, value.count?.typical ?? 3) } }, n)
  if (value.storedAs === 'NS') return { NS: [...new Set(elements.map((entry) => entry.N ?? '0'))] }
  if (value.storedAs === 'BS') return { BS: elements.map((entry) => entry.B ?? new Uint8Array([n & 0xff])) }
  return { SS: [...new Set(elements.map((entry) => entry.S ?? ''))] }
}
