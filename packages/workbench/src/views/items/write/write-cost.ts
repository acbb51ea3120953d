import {
  attributeOf,
  equalItems,
  itemSizeBytes,
  setAttribute,
  type AttributeValue,
  type Item,
} from '@hashrange/core'
import { indexesOf, keyNames, schemaKeys } from '../../../api/table-facts.ts'
import type { IndexDescription, TableDescription } from '../../../api-types.ts'
import { writeUnits } from '../../../values/units.ts'
import { pick } from '../keys/keys.ts'

/** What a write does to the table or one index, and its price in write units. */
export interface WriteCost {
  readonly source: string
  readonly indexName: string | undefined
  readonly effect: 'written' | 'added' | 'removed' | 'moved' | 'changed' | 'unchanged' | 'absent'
  readonly units: number
}

/** What it costs to write `after` over `before` (undefined for a new item, or one to be deleted). An index only costs
 *  if its entry changes, and twice if the entry moves to another key. */
export function writeCosts(
  table: TableDescription,
  before: Item | undefined,
  after: Item | undefined,
): WriteCost[] {
  const bytes = Math.max(
    before === undefined ? 0 : itemSizeBytes(before),
    after === undefined ? 0 : itemSizeBytes(after),
  )
  const own: WriteCost = {
    source: table.TableName,
    indexName: undefined,
    effect: after === undefined ? 'removed' : before === undefined ? 'added' : 'written',
    units: writeUnits(bytes),
  }
  return [own, ...indexesOf(table).map((index) => indexCost(table, index, before, after))]
}

/** What an index contains of an item; undefined if the item lacks the index's key. */
export function indexEntry(table: TableDescription, index: IndexDescription, item: Item): Item | undefined {
  const keys = [...keyNames(schemaKeys(index.KeySchema)), ...keyNames(schemaKeys(table.KeySchema))]
  const key = pick(item, keys)
  if (key === undefined) return undefined
  const { ProjectionType = 'ALL', NonKeyAttributes = [] } = index.Projection
  if (ProjectionType === 'ALL') return item
  const entry: Record<string, AttributeValue> = { ...key }
  for (const name of ProjectionType === 'INCLUDE' ? NonKeyAttributes : []) {
    const value = attributeOf(item, name)
    if (value !== undefined) setAttribute(entry, name, value)
  }
  return entry
}

function indexCost(
  table: TableDescription,
  index: IndexDescription,
  before: Item | undefined,
  after: Item | undefined,
): WriteCost {
  const named = { source: index.IndexName, indexName: index.IndexName }
  const old = before === undefined ? undefined : indexEntry(table, index, before)
  const fresh = after === undefined ? undefined : indexEntry(table, index, after)
  if (old === undefined && fresh === undefined) return { ...named, effect: 'absent', units: 0 }
  if (old === undefined) return { ...named, effect: 'added', units: unitsOf(fresh) }
  if (fresh === undefined) return { ...named, effect: 'removed', units: unitsOf(old) }
  if (equalItems(old, fresh)) return { ...named, effect: 'unchanged', units: 0 }
  const keys = keyNames(schemaKeys(index.KeySchema))
  if (!equalItems(pick(old, keys) ?? {}, pick(fresh, keys) ?? {})) {
    return { ...named, effect: 'moved', units: unitsOf(old) + unitsOf(fresh) }
  }
  return { ...named, effect: 'changed', units: Math.max(unitsOf(old), unitsOf(fresh)) }
}

function unitsOf(entry: Item | undefined): number {
  return entry === undefined ? 0 : writeUnits(itemSizeBytes(entry))
}
