import { limits, type Item } from '@hashrange/core'
import { showColumns, type SelectedColumn } from '@hashrange/core/partiql'
import { addUnits, tableUnits, totalUnits, type Units } from '../capacity/units.ts'
import type { Reading } from '../reads/reading.ts'
import type { ShownItem } from '../items/projection.ts'
import { parseStored, storedJson } from '../items/stored-item.ts'
import { readRange } from '../reads/answer-page.ts'
import { rangeAfter, startKeyAfter, storeKeyOfStart } from '../reads/start-key.ts'
import type { Snapshot, Value } from '../store/store.ts'
import type { PlannedRead, SelectPlan } from './plan-select.ts'
import { viewItems } from '../reads/view-items.ts'

/** Where a SELECT continues: in one of its reads, after the entry with this key, or from its start. */
export interface ReadPosition {
  readonly read: number
  readonly after: Item | undefined
}

export interface SelectedPage {
  readonly items: readonly ShownItem[]
  readonly units: Units
  /** Absent if everything was read. */
  readonly next: ReadPosition | undefined
}

/** Reads one page of a SELECT. `limit`, and the megabyte of a page, count what all of its reads evaluate. */
export async function runSelect(
  engine: Reading,
  plan: SelectPlan,
  start: ReadPosition,
  limit: number | undefined,
): Promise<SelectedPage> {
  return viewItems(engine, plan.source.table, plan.consistent, async (current) => {
    const snapshot = engine.seen(current, plan.consistent)
    const { table, index } = plan.source
    const items: ShownItem[] = []
    let units = tableUnits(0)
    let evaluated = 0
    let evaluatedBytes = 0
    for (let read = start.read; read < plan.reads.length; read++) {
      const planned = plan.reads[read]
      if (planned === undefined) break
      if (evaluated === limit || evaluatedBytes >= limits.pageBytes) {
        return { items, units, next: { read, after: undefined } }
      }
      const { from } = planned.range
      const isFirst = read === start.read
      const admission = isFirst ? engine.capacity.admitRead(table, index, from, planned.partition) : undefined
      const { page, units: readUnits } = await readOne(snapshot, plan, planned, {
        after: isFirst ? start.after : undefined,
        limit: limit === undefined ? undefined : limit - evaluated,
        pageBytes: limits.pageBytes - evaluatedBytes,
      })
      for (const value of page.values) items.push(shownItem(value, plan.columns))
      units = addUnits(units, readUnits)
      engine.capacity.didRead(table, index, from, totalUnits(readUnits), planned.partition)
      admission?.release()
      evaluated += page.evaluated
      evaluatedBytes += page.evaluatedBytes
      if (page.last !== undefined && !planned.single) {
        return { items, units, next: { read, after: startKeyAfter(plan.source, parseStored(page.last)) } }
      }
    }
    return { items, units, next: undefined }
  })
}

export function shownItem(value: Value, columns: readonly SelectedColumn[] | undefined): ShownItem {
  return columns === undefined ? storedJson(value) : showColumns(columns, parseStored(value))
}

interface Bounds {
  readonly after: Item | undefined
  readonly limit: number | undefined
  readonly pageBytes: number
}

function readOne(
  snapshot: Snapshot,
  { source, selection, consistent }: SelectPlan,
  { range, filter }: PlannedRead,
  { after, limit, pageBytes }: Bounds,
): ReturnType<typeof readRange> {
  const reverse = range.reverse === true
  const rest = after === undefined ? range : rangeAfter(range, storeKeyOfStart(source, after), reverse)
  return readRange(snapshot, { source, range: rest, limit, pageBytes, filter, selection, consistent })
}
