import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { KeyFormatDescription, PatternDescription } from '../../description.ts'
import { compareStored } from '../../keys/compare-stored.ts'
import { storedNameOf } from '../../model/parameters.ts'
import { truncateIsoDate } from '../../schema/iso-date.ts'
import type { StoredItem } from '../item-size.ts'
import { holesOf, type KindKey, type ModelIndex } from '../model-index.ts'
import { kindOfItem } from './kind-of-item.ts'
import type { OrderMeasurement } from './pattern-measurement.ts'

/** In what order the items of a query come, and whether they did: by the values themselves, not by the text of the
 *  keys. Each kind of item has an order of its own. */
export function measureOrder(
  model: ModelIndex,
  pattern: PatternDescription,
  answers: readonly (readonly StoredItem[])[],
): OrderMeasurement | undefined {
  const kinds = model.kindsIn(model.placeOf(pattern)).filter(({ kind }) => pattern.entities.includes(kind))
  const orders = new Map(kinds.map((kind) => [kind.kind, orderOf(pattern, kind)]))
  const [first] = orders.values()
  if (first === undefined) return undefined
  const isKept = answers.every((items) => {
    const groups = new Map<string, AttributeValue[]>()
    for (const item of items) {
      const kind = kindOfItem(model, item) ?? ''
      const order = orders.get(kind)
      const value = order && item[order.storedName]
      if (value !== undefined) groups.set(kind, [...(groups.get(kind) ?? []), order?.comparable(value) ?? value])
    }
    return [...groups].every(([kind, values]) => isSorted(values, orders.get(kind)?.isReversed === true))
  })
  return { text: `${first.attribute}, ${first.isReversed ? 'descending' : 'ascending'}`, isKept }
}

interface Order {
  readonly attribute: string
  readonly storedName: string
  readonly isReversed: boolean
  /** As much of a value as its key holds. */
  readonly comparable: (value: AttributeValue) => AttributeValue
}

/** By the first attribute of the sort key that the query leaves open, unless only its hash is there. */
function orderOf(pattern: PatternDescription, { entity, sort }: KindKey): Order | undefined {
  if (pattern.action !== 'query' || pattern.sort?.kind === 'equals') return undefined
  const prefix = pattern.sort !== undefined && 'templates' in pattern.sort ? holesOf(pattern.sort.templates) : []
  const fixed = new Set([...holesOf(pattern.partition ?? []), ...prefix])
  // A range goes through all its periods.
  if (pattern.buckets !== undefined) fixed.delete(pattern.buckets.attribute)
  const hole = sort.flatMap(({ parts }) => parts).find((part) => part.kind === 'hole' && !fixed.has(part.attribute))
  if (hole?.kind !== 'hole' || hole.format.kind === 'hash' || hole.format.kind === 'bucket') return undefined
  const { attribute, format } = hole
  // A descending number or date in the template reverses the order once more.
  const countsDown = 'isDescending' in format && format.isDescending
  return {
    attribute,
    storedName: storedNameOf(entity, attribute),
    isReversed: (pattern.order === 'descending') !== countsDown,
    comparable: (value) => comparable(format, value),
  }
}

function comparable(format: KeyFormatDescription, value: AttributeValue): AttributeValue {
  if (value.S === undefined) return value
  if (format.kind === 'date') return { S: truncateIsoDate(value.S, format.precision) }
  if (format.kind === 'case') return { S: format.to === 'lower' ? value.S.toLowerCase() : value.S.toUpperCase() }
  return value
}

function isSorted(values: readonly AttributeValue[], isDescending: boolean): boolean {
  return values.every((value, i) => {
    const order = i === 0 ? 0 : compareStored(values[i - 1], value)
    return isDescending ? order >= 0 : order <= 0
  })
}
