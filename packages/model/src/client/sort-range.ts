import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { KeyFormatDescription } from '../description.ts'
import { ModelError } from '../errors.ts'
import { compareText } from '../keys/compare-stored.ts'
import { holeText } from '../keys/key-text.ts'
import { truncateIsoDate, toIsoBound } from '../schema/iso-date.ts'
import { shown } from '../schema/value-errors.ts'
import type { CompiledAttribute } from './entity-runtime.ts'
import type { Placeholders } from './placeholders.ts'

/** After every text with the same beginning: the last code point there is. */
const last = '\u{10FFFF}'

export interface RangeTarget {
  /** The key attribute. */
  readonly key: string
  /** What stands before the hole; empty for a native key. */
  readonly prefix: string
  readonly isNative: boolean
  readonly attribute: CompiledAttribute
  readonly format: KeyFormatDescription
  /** The literal after the hole. */
  readonly following: string | undefined
}

/** `{ from, to }` or `{ begins }` as a condition on the sort key; both bounds are inclusive. Undefined if there is no
 *  restriction. */
export function rangeText(target: RangeTarget, range: unknown, placeholders: Placeholders): string | undefined {
  const { from, to, begins } = readRange(target, range)
  const { prefix } = target
  // The service rejects names that no expression uses.
  if (begins === undefined && from === undefined && to === undefined && prefix === '') return undefined
  const key = placeholders.name(target.key)
  if (begins !== undefined)
    return `begins_with(${key}, ${placeholders.value({ S: prefix + textOf(target, begins) }, target.key)})`
  if (from === undefined && to === undefined) {
    return `begins_with(${key}, ${placeholders.value({ S: prefix }, target.key)})`
  }
  const [low, high] = isDescending(target) ? [to, from] : [from, to]
  const lower = low === undefined ? undefined : lowerBound(target, low)
  const upper = high === undefined ? undefined : upperBound(target, high)
  assertOrder(target, lower, upper)
  const least = lower ?? (prefix === '' ? undefined : { S: prefix })
  const most = upper ?? (prefix === '' ? undefined : { S: prefix + last })
  if (least === undefined) return `${key} <= ${placeholders.value(most ?? { S: last }, target.key)}`
  if (most === undefined) return `${key} >= ${placeholders.value(least, target.key)}`
  return `${key} BETWEEN ${placeholders.value(least, target.key)} AND ${placeholders.value(most, target.key)}`
}

interface Bounds {
  readonly from?: unknown
  readonly to?: unknown
  readonly begins?: unknown
}

function readRange({ attribute }: RangeTarget, range: unknown): Bounds {
  if (range === undefined) return {}
  const isObject = typeof range === 'object' && range !== null && !(range instanceof Date)
  if (!isObject || Object.keys(range).some((name) => name !== 'from' && name !== 'to' && name !== 'begins')) {
    throw new ModelError(
      'INVALID_VALUE',
      `${attribute.name} takes { from, to } or { begins }, not ${shown(range)}.`,
      {
        attribute: attribute.name,
      },
    )
  }
  return range
}

function isDescending({ format }: RangeTarget): boolean {
  return format.kind === 'padded' && format.isDescending
}

function lowerBound(target: RangeTarget, value: unknown): AttributeValue {
  if (target.isNative && !isDate(target)) return encode(target, value)
  return { S: target.prefix + textOf(target, value) }
}

/** Everything that starts with the bound is within it: 2026-01 includes the 31st. For a text of any length that is
 *  followed by a separator, only that very text is. */
function upperBound(target: RangeTarget, value: unknown): AttributeValue {
  const hasFixedWidth =
    isDate(target) || target.format.kind !== 'plain' || target.attribute.described.storedAs === 'N'
  if (target.isNative && !isDate(target)) return encode(target, value)
  const text = target.prefix + textOf(target, value)
  if (hasFixedWidth) return { S: text + last }
  return { S: target.following === undefined ? text : text + target.following + last }
}

function isDate({ attribute }: RangeTarget): boolean {
  return attribute.described.type === 'iso'
}

function textOf(target: RangeTarget, value: unknown): string {
  const { attribute, format } = target
  if (isDate(target)) {
    const precision = attribute.described.precision ?? 'millisecond'
    const text = typeof value === 'string' || value instanceof Date ? toIsoBound(value, precision) : undefined
    if (text === undefined)
      throw new ModelError('INVALID_VALUE', `${attribute.name} must be a date, not ${shown(value)}.`)
    return format.kind === 'date' ? truncateIsoDate(text, format.precision).replace(/Z$/, '') : text
  }
  if (typeof value === 'string' && attribute.described.storedAs === 'S') return value
  return holeText(attribute.name, format, encode(target, value))
}

function encode({ attribute }: RangeTarget, value: unknown): AttributeValue {
  const stored = attribute.codec.encode(value, attribute.name)
  if (stored === undefined)
    throw new ModelError('INVALID_VALUE', `A bound of the range of ${attribute.name} is empty.`)
  return stored
}

/** The service would reject it with a message about operators. */
function assertOrder(
  { attribute }: RangeTarget,
  lower: AttributeValue | undefined,
  upper: AttributeValue | undefined,
): void {
  if (lower === undefined || upper === undefined) return
  const isReversed =
    lower.N !== undefined && upper.N !== undefined
      ? Number(lower.N) > Number(upper.N)
      : lower.S !== undefined && upper.S !== undefined && compareText(lower.S, upper.S) > 0
  if (!isReversed) return
  throw new ModelError('INVALID_VALUE', `The range of ${attribute.name} ends before it begins. Swap from and to.`, {
    attribute: attribute.name,
  })
}
