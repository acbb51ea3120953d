import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { PatternDescription } from '../../description.ts'
import type { StoredItem } from '../item-size.ts'
import { holesOf, type ModelIndex } from '../model-index.ts'
import type { OrderMeasurement } from './pattern-measurement.ts'

/** In what order the items of a query come, and whether they did: by the values themselves, not by the text of the
 *  keys. */
export function measureOrder(
  model: ModelIndex,
  pattern: PatternDescription,
  answers: readonly (readonly StoredItem[])[],
): OrderMeasurement | undefined {
  const attribute = orderingAttribute(model, pattern)
  if (attribute === undefined) return undefined
  const { discriminator } = model.placeOf(pattern).table
  const isKept = answers.every((items) => {
    const groups = new Map<string, AttributeValue[]>()
    for (const item of items) {
      const value = item[attribute]
      const kind = item[discriminator]?.S ?? ''
      if (value !== undefined) groups.set(kind, [...(groups.get(kind) ?? []), value])
    }
    return [...groups.values()].every((values) => isSorted(values, isReversed(model, pattern, attribute)))
  })
  return { text: `${attribute}, ${isReversed(model, pattern, attribute) ? 'descending' : 'ascending'}`, isKept }
}

/** The first attribute of the sort key that the query leaves open. */
function orderingAttribute(model: ModelIndex, pattern: PatternDescription): string | undefined {
  if (pattern.action !== 'query' || pattern.sort?.kind === 'equals') return undefined
  const fixed = new Set(holesOf(pattern.partition ?? []))
  const prefix = pattern.sort !== undefined && 'templates' in pattern.sort ? holesOf(pattern.sort.templates) : []
  for (const hole of prefix) fixed.add(hole)
  const kind = model.kindsIn(model.placeOf(pattern)).find((each) => pattern.entities.includes(each.kind))
  return holesOf(kind?.sort ?? []).find((hole) => !fixed.has(hole))
}

/** A descending number or date in the template reverses the order once more. */
function isReversed(model: ModelIndex, pattern: PatternDescription, attribute: string): boolean {
  const kind = model.kindsIn(model.placeOf(pattern)).find((each) => pattern.entities.includes(each.kind))
  const countsDown = (kind?.sort ?? []).some(({ parts }) =>
    parts.some(
      (part) =>
        part.kind === 'hole' &&
        part.attribute === attribute &&
        'isDescending' in part.format &&
        part.format.isDescending,
    ),
  )
  return (pattern.order === 'descending') !== countsDown
}

function isSorted(values: readonly AttributeValue[], isDescending: boolean): boolean {
  for (let i = 1; i < values.length; i++) {
    const before = values[i - 1]
    const after = values[i]
    if (before === undefined || after === undefined) continue
    const order = compareValues(before, after)
    if (isDescending ? order < 0 : order > 0) return false
  }
  return true
}

function compareValues(a: AttributeValue, b: AttributeValue): number {
  if (a.N !== undefined && b.N !== undefined) return Number(a.N) - Number(b.N)
  if (a.S !== undefined && b.S !== undefined) return a.S < b.S ? -1 : a.S > b.S ? 1 : 0
  return 0
}
