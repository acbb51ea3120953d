import type { DatabasePort } from './tables/database-port.ts'
import { ensureTable, itemCountOf, listTables, readBlueprint } from './tables/ensure-table.ts'
import { scanSegments, segmentStart, type SegmentPosition } from './tables/scan-segments.ts'
import { writeItems } from './tables/write-items.ts'
import type { TransferProgress } from './progress.ts'
import { StateFile } from './state-file.ts'

export interface CopyOptions {
  readonly from: DatabasePort
  readonly to: DatabasePort
  /** Without names, every table. */
  readonly tables?: readonly string[] | undefined
  readonly segments?: number | undefined
  readonly statePath: string
  readonly progress: TransferProgress
  readonly signal: AbortSignal
}

export interface CopyOutcome {
  readonly isComplete: boolean
  readonly tables: number
  readonly items: number
}

interface CopyState {
  readonly from: string
  readonly to: string
  readonly tables: Readonly<Record<string, readonly SegmentPosition[]>>
}

/** Copies tables from one database to another. Progress is recorded page by page: run again after an interruption, it
 *  continues from there. Copying a page twice changes nothing. */
export async function copyTables(options: CopyOptions): Promise<CopyOutcome> {
  const { from, to, signal } = options
  const names = options.tables ?? (await listTables(from))
  const { file } = await StateFile.open<CopyState>(
    options.statePath,
    { from: from.name, to: to.name, tables: {} },
    (found) => found.from === from.name && found.to === to.name,
  )
  try {
    for (const tableName of names) {
      if (signal.aborted) break
      await copyTable(options, file, tableName)
    }
  } finally {
    await file.save()
  }
  const copied = Object.values(file.state.tables)
  const isComplete =
    copied.length === names.length && copied.every((positions) => positions.every(({ done }) => done))
  if (isComplete) await file.remove()
  return { isComplete, tables: names.length, items: copied.flat().reduce((sum, { items }) => sum + items, 0) }
}

async function copyTable(options: CopyOptions, file: StateFile<CopyState>, tableName: string): Promise<void> {
  const { from, to, progress, signal } = options
  const known = file.state.tables[tableName]
  if (known?.every(({ done }) => done) === true) return
  await ensureTable(to, await readBlueprint(from, tableName))
  const positions = [...(known ?? Array.from({ length: options.segments ?? 8 }, () => segmentStart))]
  progress.begin(tableName, await itemCountOf(from, tableName), sumOf(positions))
  await scanSegments({
    port: from,
    tableName,
    positions: [...positions],
    signal,
    page: async (segment, items, after) => {
      await writeItems(to, tableName, items)
      positions[segment] = after
      file.change({ ...file.state, tables: { ...file.state.tables, [tableName]: [...positions] } })
      progress.add(items.length)
    },
  })
  progress.end()
}

function sumOf(positions: readonly SegmentPosition[]): number {
  return positions.reduce((sum, { items }) => sum + items, 0)
}
