import type { TransferProgress } from './progress.ts'
import { isThrottling, type DatabasePort, type WireItem } from './tables/database-port.ts'
import { ensureTable, readBlueprint } from './tables/ensure-table.ts'
import { pauseAfter } from './tables/pause-after.ts'
import { writeItems } from './tables/write-items.ts'

export interface CopyItemsOptions {
  readonly from: DatabasePort
  readonly to: DatabasePort
  readonly tableName: string
  readonly toTableName: string
  readonly keys: readonly WireItem[]
  readonly progress: TransferProgress
  readonly signal: AbortSignal
}

const keysPerRequest = 100
const mostAttempts = 12

/** Copies items by their keys, into a table that is created if it is missing. Those that are gone are left out. Returns
 *  whether it came to its end. */
export async function copyItems(options: CopyItemsOptions): Promise<boolean> {
  const { from, to, tableName, toTableName, keys, progress, signal } = options
  const blueprint = await readBlueprint(from, tableName)
  await ensureTable(to, { ...blueprint, create: { ...blueprint.create, TableName: toTableName } })
  progress.begin(toTableName, keys.length)
  for (let start = 0; start < keys.length; start += keysPerRequest) {
    if (signal.aborted) return false
    const wanted = keys.slice(start, start + keysPerRequest)
    await writeItems(to, toTableName, await readItems(from, tableName, wanted))
    progress.add(wanted.length)
  }
  progress.end()
  return true
}

/** What the database leaves unprocessed, because it is throttled or too much for one answer, is asked for again. */
async function readItems(port: DatabasePort, tableName: string, keys: readonly WireItem[]): Promise<WireItem[]> {
  const items: WireItem[] = []
  let asked: unknown = { [tableName]: { Keys: keys, ConsistentRead: true } }
  for (let attempt = 1; ; attempt++) {
    try {
      const { Responses, UnprocessedKeys } = await port.request('BatchGetItem', { RequestItems: asked })
      const found = Object.values(Responses as Readonly<Record<string, WireItem[]>>).flat()
      items.push(...found)
      const left = (UnprocessedKeys ?? {}) as Readonly<Record<string, unknown>>
      if (Object.keys(left).length === 0) return items
      // Progress is no failure.
      if (found.length > 0) attempt = 0
      if (attempt >= mostAttempts) throw new Error(`${port.name} left keys of ${tableName} unread.`)
      asked = left
    } catch (error) {
      if (!isThrottling(error) || attempt >= mostAttempts) throw error
    }
    await pauseAfter(Math.max(1, attempt))
  }
}
