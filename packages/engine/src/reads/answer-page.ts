import { conditionCost, holds, type AttributeValue, type Condition, type Item } from '@hashrange/core'
import {
  consumedCapacity,
  type ConsumedCapacity,
  type ReturnConsumedCapacity,
} from '../capacity/consumed-capacity.ts'
import { indexUnits, readUnits, tableUnits, totalUnits, type Units } from '../capacity/units.ts'
import type { Reading } from './reading.ts'
import { keyInTable } from '../catalog/key-in-table.ts'
import { keyOfItem } from '../items/check-schema.ts'
import { showItem, type ShownItem } from '../items/projection.ts'
import { parseStored, storedSizeBytes } from '../items/stored-item.ts'
import type { MaybePromise, Range, Snapshot, Value } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'
import { readPage, type Page } from './read-page.ts'
import type { Selection } from './select.ts'
import type { Source } from './source.ts'
import { startKeyAfter } from './start-key.ts'
import { viewItems } from './view-items.ts'

export interface RangeRequest {
  readonly source: Source
  readonly range: Range
  readonly limit: number | undefined
  readonly filter: Condition | undefined
  readonly selection: Selection
  readonly consistent: boolean
  /** Less than a megabyte if something was already read. */
  readonly pageBytes?: number | undefined
}

export interface PageRequest extends RangeRequest {
  /** The values of the requested partition key; undefined for a Scan. */
  readonly partition: readonly AttributeValue[] | undefined
  readonly returnConsumedCapacity: ReturnConsumedCapacity | undefined
  /** The table as named in the request. */
  readonly tableName: string
}

export interface PageAnswer {
  readonly Items: readonly ShownItem[] | undefined
  readonly Count: number
  readonly ScannedCount: number
  readonly LastEvaluatedKey: Item | undefined
  readonly ConsumedCapacity: ConsumedCapacity | undefined
}

/** Reads one page of a table or an index, and returns the response of Query or Scan. */
export function answerPage(engine: Reading, request: PageRequest): MaybePromise<PageAnswer> {
  const { source, partition } = request
  const { table, index } = source
  const { from } = request.range
  const admission = engine.capacity.admitRead(table, index, from, partition)
  const read = viewItems(engine, table, request.consistent, (snapshot) =>
    readRange(engine.seen(snapshot, request.consistent), request, true),
  )
  return whenThere(read, ({ page, units }) => {
    engine.capacity.didRead(table, index, from, totalUnits(units), partition)
    admission?.release()
    return pageAnswer(request, page, units)
  })
}

function pageAnswer(
  { source, selection, returnConsumedCapacity, tableName }: PageRequest,
  page: Page,
  units: Units,
): PageAnswer {
  return {
    Items: selection.countOnly ? undefined : page.values.map((value) => showItem(value, selection.projection)),
    Count: page.values.length,
    ScannedCount: page.evaluated,
    LastEvaluatedKey: page.last && startKeyAfter(source, parseStored(page.last)),
    ConsumedCapacity: consumedCapacity(returnConsumedCapacity, tableName, units),
  }
}

export interface RangeRead {
  readonly page: Page
  readonly units: Units
}

/** Reads one page of a range, and the other parts of its items that are requested. */
export function readRange(snapshot: Snapshot, request: RangeRequest, isAlone = false): MaybePromise<RangeRead> {
  const limited = request.filter === undefined ? request : withLimitOf(request.filter, request)
  return limited.selection.fetchItems
    ? readThroughIndex(snapshot, limited)
    : readDirectly(snapshot, limited, isAlone)
}

/** How many steps the filter of one page may take. */
const filterSteps = 10_000_000
const cheapFilterSteps = 100

/** A page may end anywhere, so a page with a very large filter ends before it has blocked others for long. */
function withLimitOf(filter: Condition, request: RangeRequest): RangeRequest {
  const cost = conditionCost(filter)
  if (cost <= cheapFilterSteps) return request
  // Never at the first item, which may be the only one.
  const affordable = Math.max(2, Math.floor(filterSteps / cost))
  return { ...request, limit: Math.min(request.limit ?? affordable, affordable) }
}

function readDirectly(snapshot: Snapshot, request: RangeRequest, isAlone: boolean): MaybePromise<RangeRead> {
  const { source, range, limit, pageBytes, filter, consistent } = request
  const keep = filter && ((value: Value) => holds(filter, parseStored(value)))
  return whenThere(readPage(snapshot, range, { limit, keep, pageBytes, isAlone }), (page) => {
    const units = readUnits(page.evaluatedBytes, consistent)
    return {
      page,
      units: source.index ? indexUnits(source.index.kind, source.index.indexName, units) : tableUnits(units),
    }
  })
}

/** A local index that does not contain everything that is requested: the item of each entry is read as well, and
 *  rounded separately. */
async function readThroughIndex(snapshot: Snapshot, request: RangeRequest): Promise<RangeRead> {
  const { source, range, limit, pageBytes, filter, consistent } = request
  const { table, index } = source
  const page = await readPage(snapshot, range, { limit, keep: undefined, pageBytes })
  const keys = page.values.map((value) => keyInTable(table, keyOfItem(table.keySchema, parseStored(value))))
  const items = (await snapshot.getMany(keys)).filter((value): value is Value => value !== undefined)
  const itemUnits = items.reduce((sum, value) => sum + readUnits(storedSizeBytes(value), consistent), 0)
  const entryUnits = readUnits(page.evaluatedBytes, consistent)
  return {
    page: {
      ...page,
      values: filter === undefined ? items : items.filter((value) => holds(filter, parseStored(value))),
    },
    units: index ? indexUnits(index.kind, index.indexName, entryUnits, itemUnits) : tableUnits(itemUnits),
  }
}
