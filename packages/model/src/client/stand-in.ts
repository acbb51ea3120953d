import type { AttributeDescription, ValueDescription } from '../description.ts'
import { shardOf } from '../keys/shard-of.ts'
import { toIsoDate } from '../schema/iso-date.ts'

/** A value for an attribute whose function nobody has: of the right type, and the same for the same values. */
export function standIn(
  attribute: AttributeDescription,
  sources: readonly AttributeDescription[],
  item: Readonly<Record<string, unknown>>,
): unknown {
  const given = sources.map(({ name }) => item[name]).filter((value) => value !== undefined)
  const [first] = given
  if (first === undefined) return undefined
  // What is computed from one value of its own type mostly is that value, tidied.
  if (given.length === 1 && sources[0]?.type === attribute.type && attribute.distinct === undefined) {
    return attribute.type === 'iso' ? toIsoDate(plainText(first), attribute.precision ?? 'millisecond') : first
  }
  return valueOf(attribute, given.map(plainText).join('-'), first)
}

function valueOf(value: ValueDescription, text: string, first: unknown): unknown {
  const choose = (count: number): number => shardOf(text, Math.max(1, count))
  switch (value.type) {
    case 'string':
      return value.distinct === undefined ? text : `value${choose(value.distinct)}`
    case 'enum':
      return value.values?.[choose(value.values.length)]
    case 'boolean':
      return choose(2) === 1
    case 'number':
    case 'int':
    case 'version':
    case 'shard':
    case 'ttl': {
      const { min = 0, max = 999_999 } = value.range ?? {}
      const number = Number(text)
      const isIn = text !== '' && number >= min && number <= max && value.distinct === undefined
      return isIn ? number : min + choose(Math.min(value.shard?.count ?? value.distinct ?? max - min + 1, 1e6))
    }
    case 'iso':
      return (
        toIsoDate(text, value.precision ?? 'millisecond') ??
        toIsoDate(dayOf(choose(3650)), value.precision ?? 'day')
      )
    case 'ulid':
      return String(choose(1e9)).padStart(26, '0')
    case 'uuid':
      return `00000000-0000-4000-8000-${String(choose(1e9)).padStart(12, '0')}`
    case 'set':
    case 'list':
      return Array.isArray(first) || first instanceof Set ? [...(first as Iterable<unknown>)] : undefined
    case 'binary':
      return new TextEncoder().encode(text)
    case 'any':
      return text
    case 'map':
    case 'record':
      return undefined
  }
}

function dayOf(days: number): Date {
  return new Date(Date.UTC(2020, 0, 1) + days * 86_400_000)
}

function plainText(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'bigint') return value.toString()
  return typeof value === 'string' ? value : JSON.stringify(value)
}
