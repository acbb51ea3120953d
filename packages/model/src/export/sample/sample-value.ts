import { paddedDigits } from '../../keys/key-text.ts'
import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { AttributeDescription, KeyFormatDescription, ValueDescription } from '../../description.ts'
import { unreachable } from '../../errors.ts'
import { ulid, uuid } from '../../schema/generators.ts'
import { toIsoDate } from '../../schema/iso-date.ts'
import { sampleText, type SampleContext } from './sample-text.ts'

const dayMs = 86_400_000

/** A value that reads as if somebody had entered it. `formats` are those of the keys it will be part of. */
export function sampleValue(
  name: string,
  value: ValueDescription,
  formats: readonly KeyFormatDescription[],
  context: SampleContext,
): AttributeValue {
  const { random, now } = context
  switch (value.type) {
    case 'string':
      return { S: sampleText(name, value.sizeBytes?.typical, context) }
    case 'enum':
      return { S: pick(value.values ?? [], random) ?? '' }
    case 'ulid':
      return { S: ulid({ now: () => earlier(context), random }) }
    case 'uuid':
      return { S: uuid({ now: () => now, random }) }
    case 'iso':
      return { S: toIsoDate(earlier(context), value.precision ?? 'millisecond') ?? '' }
    case 'number':
    case 'int':
      return { N: String(sampleNumber(name, value, formats, context)) }
    case 'version':
      return { N: '1' }
    case 'shard':
      return { N: String(Math.floor(random() * (value.shard?.count ?? 1))) }
    // Far away, so that what is loaded today is not removed tomorrow.
    case 'ttl':
      return { N: String(Math.floor(now.getTime() / 1000) + 10 * 365 * 86_400) }
    case 'boolean':
      return { BOOL: random() < 0.5 }
    case 'binary':
      return { B: Uint8Array.from({ length: 8 }, () => Math.floor(random() * 256)) }
    case 'list':
      return { L: elements(name, value, context) }
    case 'set':
      return sampleSet(name, value, context)
    case 'map':
      return { M: sampleMap(value, context) }
    case 'record':
      return { M: Object.fromEntries(elements(name, value, context).map((each, i) => [`key${i + 1}`, each])) }
    case 'any':
      return { S: sampleText(name, undefined, context) }
    default:
      return unreachable(value.type)
  }
}

function sampleMap(
  { fields = [], variants }: ValueDescription,
  context: SampleContext,
): Record<string, AttributeValue> {
  const form = variants?.of[context.nth % variants.of.length]
  if (variants === undefined || form === undefined) return sampleFields(fields, context)
  return { [variants.tag]: { S: form.name }, ...sampleFields(form.fields, context) }
}

function sampleFields(
  fields: readonly AttributeDescription[],
  context: SampleContext,
): Record<string, AttributeValue> {
  return Object.fromEntries(fields.map((field) => [field.name, sampleValue(field.name, field, [], context)]))
}

function elements(name: string, { element, count }: ValueDescription, context: SampleContext): AttributeValue[] {
  if (element === undefined) return []
  const length = Math.max(1, Math.min(3, Math.round(count?.typical ?? 2)))
  const singular = name.replace(/s$/, '')
  return Array.from({ length }, (_, i) => sampleValue(singular, element, [], { ...context, nth: context.nth + i }))
}

/** Members of a set are different, so equal ones are left out. */
function sampleSet(name: string, value: ValueDescription, context: SampleContext): AttributeValue {
  const members = elements(name, value, context)
  if (value.storedAs === 'NS') return { NS: [...new Set(members.map(({ N }) => N ?? '0'))] }
  if (value.storedAs === 'BS') return { BS: members.flatMap(({ B }) => (B === undefined ? [] : [B])).slice(0, 1) }
  return { SS: [...new Set(members.map(({ S }) => S ?? ''))] }
}

function sampleNumber(
  name: string,
  { type, range }: ValueDescription,
  formats: readonly KeyFormatDescription[],
  { random, nth }: SampleContext,
): number {
  const padded = formats.filter((format) => format.kind === 'padded')
  const decimals = type === 'int' ? 0 : Math.min(2, ...padded.map((format) => format.decimals))
  const fits = padded.map((format) => 10 ** (paddedDigits(format) - format.decimals) - 1)
  const [low, high] = usualRange(name, nth)
  const min = range?.min ?? Math.min(low, ...fits)
  const max = Math.max(min, Math.min(range?.max ?? Math.max(high, min), ...fits, Math.max(min, high)))
  return Number((min + random() * (max - min)).toFixed(decimals))
}

function usualRange(name: string, nth: number): readonly [number, number] {
  if (/^(n|no|number|position|line|seq|sequence)$/i.test(name)) return [nth + 1, nth + 1]
  if (/quantity|qty/i.test(name)) return [1, 5]
  if (/rating|stars/i.test(name)) return [1, 5]
  if (/year/i.test(name)) return [1990, 2025]
  if (/at$|time/i.test(name)) return [1_760_000_000, 1_767_000_000]
  return [1, 999]
}

/** Some time in the ninety days before. */
function earlier({ random, now }: SampleContext): Date {
  return new Date(now.getTime() - Math.floor(random() * 90 * dayMs))
}

function pick<T>(choices: readonly T[], random: () => number): T | undefined {
  return choices[Math.floor(random() * choices.length)]
}
