import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { DatePrecision, KeyFormatDescription } from '../description.ts'
import { ModelError } from '../errors.ts'
import { compareStored } from '../keys/compare-stored.ts'
import { holeText, mirroredDate } from '../keys/key-text.ts'
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

/** `{ from, to }`, `{ after, before }` or `{ begins }` as a condition on the sort key: the first two are inclusive, the others
 *  are not. Undefined if there is no restriction. */
export function rangeText(target: RangeTarget, range: unknown, placeholders: Placeholders): string | undefined {
  const bounds = readRange(target, range)
  const { begins } = bounds
  const { prefix } = target
  const from = edgeOf(bounds.from, bounds.after)
  const to = edgeOf(bounds.to, bounds.before)
  // The service rejects names that no expression uses.
  if (begins === undefined && from === undefined && to === undefined && prefix === '') return undefined
  const key = placeholders.field(target.key)
  if (begins !== undefined)
    return `begins_with(${key}, ${placeholders.value({ S: prefix + boundText(target, begins) }, target.key)})`
  if (from === undefined && to === undefined) {
    return `begins_with(${key}, ${placeholders.value({ S: prefix }, target.key)})`
  }
  const [low, high] = isDescending(target) ? [to, from] : [from, to]
  const lower = low && (low.isExcluded ? justAbove(upperBound(target, low.value)) : lowerBound(target, low.value))
  const upper =
    high && (high.isExcluded ? justBelow(lowerBound(target, high.value)) : upperBound(target, high.value))
  assertOrder(target, low && lowerBound(target, low.value), high && upperBound(target, high.value))
  // Nothing lies between 2 and 2 if neither counts; the service rejects such a range.
  if (lower !== undefined && upper !== undefined && compareStored(lower, upper) > 0)
    return `${key} = ${placeholders.value(lower, target.key)}`
  const least = lower ?? (prefix === '' ? undefined : { S: prefix })
  const most = upper ?? (prefix === '' ? undefined : { S: prefix + last })
  if (least === undefined) return `${key} <= ${placeholders.value(most ?? { S: last }, target.key)}`
  if (most === undefined) return `${key} >= ${placeholders.value(least, target.key)}`
  return `${key} BETWEEN ${placeholders.value(least, target.key)} AND ${placeholders.value(most, target.key)}`
}

interface Edge {
  readonly value: unknown
  readonly isExcluded: boolean
}

function edgeOf(included: unknown, excluded: unknown): Edge | undefined {
  if (included !== undefined) return { value: included, isExcluded: false }
  return excluded === undefined ? undefined : { value: excluded, isExcluded: true }
}

type Bounds = { readonly [name in BoundName]?: unknown }
type BoundName = 'from' | 'to' | 'after' | 'before' | 'begins'

const boundNames: readonly string[] = ['from', 'to', 'after', 'before', 'begins']

export function readRange({ attribute }: Pick<RangeTarget, 'attribute'>, range: unknown): Bounds {
  if (range === undefined) return {}
  const given: Bounds =
    typeof range === 'object' && range !== null && !(range instanceof Date) ? range : { from: 0, after: 0 }
  const isTwice = (a: BoundName, b: BoundName): boolean => given[a] !== undefined && given[b] !== undefined
  if (
    Object.keys(given).every((name) => boundNames.includes(name)) &&
    !isTwice('from', 'after') &&
    !isTwice('to', 'before')
  )
    return given
  throw new ModelError(
    'INVALID_VALUE',
    `${attribute.name} takes from or after, and to or before, or { begins }, not ${shown(range)}.`,
    { attribute: attribute.name },
  )
}

function isDescending({ format }: RangeTarget): boolean {
  return 'isDescending' in format && format.isDescending
}

/** The next value of all: a key condition with two bounds only has inclusive ones. */
function justAbove({ S, N, ...other }: AttributeValue): AttributeValue {
  if (S !== undefined) return { S: `${S}\0` }
  return N === undefined ? (other as AttributeValue) : { N: neighbour(N, 1n) }
}

/** As close below as it takes: nothing that a program stores lies between. */
function justBelow({ S, N, ...other }: AttributeValue): AttributeValue {
  if (N !== undefined) return { N: neighbour(N, -1n) }
  if (S === undefined) return other as AttributeValue
  const end = S.codePointAt(S.length - 2) ?? 0
  const point = S.length > 1 && end > 0xffff ? end : S.charCodeAt(S.length - 1)
  const head = S.slice(0, point > 0xffff ? -2 : -1)
  if (point === 0) return { S: head }
  // Half a pair is no character.
  return { S: head + String.fromCodePoint(point === 0xe000 ? 0xd7ff : point - 1) + last }
}

/** The number that differs in the 38th digit, which is the last that DynamoDB keeps. */
function neighbour(text: string, step: bigint): string {
  const [, sign = '', whole = '0', fraction = '', exponent = '0'] =
    /^(-?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  // Zero has no digits to count from; nothing that is meant is this close to it.
  if (digits === '') return `${step < 0n ? '-' : ''}1e-100`
  const magnitude = BigInt(digits.padEnd(38, '0')) + (sign === '-' ? -step : step)
  return `${sign}${magnitude}e${Number(exponent) - fraction.length - (38 - digits.length)}`
}

function lowerBound(target: RangeTarget, value: unknown): AttributeValue {
  if (target.isNative && !isDate(target)) return encode(target, value)
  return { S: target.prefix + boundText(target, value) }
}

/** Everything that starts with the bound is within it: 2026-01 includes the 31st. For a text of any length that is
 *  followed by a separator, only that very text is. */
function upperBound(target: RangeTarget, value: unknown): AttributeValue {
  const hasFixedWidth =
    isDate(target) || target.format.kind === 'padded' || target.attribute.described.storedAs === 'N'
  if (target.isNative && !isDate(target)) return encode(target, value)
  const text = target.prefix + boundText(target, value)
  if (hasFixedWidth) return { S: text + last }
  return { S: target.following === undefined ? text : text + target.following + last }
}

function isDate({ attribute }: RangeTarget): boolean {
  return attribute.described.type === 'iso'
}

function boundText(target: RangeTarget, value: unknown): string {
  const { attribute, format } = target
  if (isDate(target)) {
    const text = dateBound(attribute.name, value, attribute.described.precision)
    if (format.kind !== 'date') return text
    const kept = truncateIsoDate(text.replace(/Z$/, ''), format.precision).replace(/Z$/, '')
    return format.isDescending === true ? mirroredDate(kept) : kept
  }
  if (typeof value === 'string' && attribute.described.storedAs === 'S') {
    return format.kind === 'case' && value !== '' ? holeText(attribute.name, format, { S: value }) : value
  }
  return holeText(attribute.name, format, encode(target, value))
}

/** A bound as the text that keys begin with. */
export function dateBound(attribute: string, value: unknown, precision: DatePrecision = 'millisecond'): string {
  const text = typeof value === 'string' || value instanceof Date ? toIsoBound(value, precision) : undefined
  if (text !== undefined) return text
  throw new ModelError('INVALID_VALUE', `${attribute} must be a date, not ${shown(value)}.`, { attribute })
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
  const isReversed = compareStored(lower, upper) > 0
  if (!isReversed) return
  throw new ModelError('INVALID_VALUE', `The range of ${attribute.name} ends before it begins. Swap from and to.`, {
    attribute: attribute.name,
  })
}
