import { isThrottling, type DatabasePort, type WireItem } from './database-port.ts'
import { pauseAfter } from './pause-after.ts'

const itemsPerRequest = 25
/** The service rejects requests beyond 16 MB; their JSON is somewhat larger than what it counts. */
const requestBytes = 12_000_000
const requestsAtOnce = 8
const mostAttempts = 12

/** Puts items with as few requests as possible, several at once. What the database leaves unprocessed is sent again,
 *  more and more slowly. */
export async function writeItems(port: DatabasePort, tableName: string, items: readonly WireItem[]): Promise<void> {
  const batches = batchesOf(items)
  const workers = Array.from({ length: Math.min(requestsAtOnce, batches.length) }, async () => {
    for (let batch = batches.pop(); batch !== undefined; batch = batches.pop()) {
      await writeBatch(port, tableName, batch)
    }
  })
  const outcomes = await Promise.allSettled(workers)
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

async function writeBatch(port: DatabasePort, tableName: string, batch: readonly WireItem[]): Promise<void> {
  let requests: unknown = batch.map((Item) => ({ PutRequest: { Item } }))
  for (let attempt = 1; ; attempt++) {
    const left = await unprocessed(port, tableName, requests, attempt)
    if (left === undefined) return
    requests = left
    await pauseAfter(attempt)
  }
}

async function unprocessed(
  port: DatabasePort,
  tableName: string,
  requests: unknown,
  attempt: number,
): Promise<unknown> {
  try {
    const { UnprocessedItems } = await port.request('BatchWriteItem', { RequestItems: { [tableName]: requests } })
    const left = Object.values((UnprocessedItems ?? {}) as Readonly<Record<string, unknown[]>>).flat()
    if (left.length === 0) return undefined
    if (attempt >= mostAttempts) {
      throw new Error(`${port.name} left items for ${tableName} unprocessed after ${attempt} attempts.`)
    }
    return left
  } catch (error) {
    if (!isThrottling(error) || attempt >= mostAttempts) throw error
    return requests
  }
}

function batchesOf(items: readonly WireItem[]): (readonly WireItem[])[] {
  const batches: WireItem[][] = []
  let batch: WireItem[] = []
  let bytes = 0
  for (const item of items) {
    const itemBytes = JSON.stringify(item).length
    if (batch.length === itemsPerRequest || (batch.length > 0 && bytes + itemBytes > requestBytes)) {
      batches.push(batch)
      batch = []
      bytes = 0
    }
    batch.push(item)
    bytes += itemBytes
  }
  if (batch.length > 0) batches.push(batch)
  return batches
}
