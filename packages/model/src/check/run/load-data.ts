import type { DynamoDBClient, WriteRequest } from '@aws-sdk/client-dynamodb'
import { BatchWriteItemCommand, CreateTableCommand } from '@aws-sdk/client-dynamodb'
import type { ModelDescription } from '../../description.ts'
import { createTableInput } from '../../export/create-table-inputs.ts'
import type { GeneratedItem } from '../data/generate-data.ts'
import type { StoredItem } from '../item-size.ts'
import type { ModelIndex } from '../model-index.ts'

export interface RefusedTable {
  readonly table: string
  readonly message: string
}

/** Creates the tables of a model, and returns which ones the database rejected. */
export async function createTables(
  client: DynamoDBClient,
  model: ModelDescription,
): Promise<readonly RefusedTable[]> {
  const refused: RefusedTable[] = []
  for (const table of model.tables) {
    try {
      // Units are measured, not what a provision would allow.
      const { ProvisionedThroughput: _, ...input } = createTableInput({ ...table, billing: { mode: 'on-demand' } })
      await client.send(new CreateTableCommand({ ...input, DeletionProtectionEnabled: false }))
    } catch (error) {
      refused.push({ table: table.id, message: error instanceof Error ? error.message : String(error) })
    }
  }
  return refused
}

const batchItems = 25
/** Several batches run at a time: the database commits them together. */
const concurrency = 8

/** Puts the items in. */
export async function loadItems(
  client: DynamoDBClient,
  model: ModelIndex,
  items: readonly GeneratedItem[],
): Promise<void> {
  const batches: Record<string, WriteRequest[]>[] = []
  for (const table of model.model.tables) {
    const puts = new Map<string, StoredItem>()
    for (const { entity, stored, satellites } of items) {
      if (entity.table !== table.id) continue
      // No batch may name an item twice; of several with one key the last would win anyway.
      for (const item of [stored, ...satellites]) {
        const sort = table.sortKey === undefined ? undefined : item[table.sortKey.name]
        puts.set(JSON.stringify([item[table.partitionKey.name], sort]), item)
      }
    }
    const requests = [...puts.values()].map((Item): WriteRequest => ({ PutRequest: { Item } }))
    for (let i = 0; i < requests.length; i += batchItems)
      batches.push({ [table.name]: requests.slice(i, i + batchItems) })
  }
  let next = 0
  const work = async (): Promise<void> => {
    for (let batch = batches[next++]; batch !== undefined; batch = batches[next++]) await sendAll(client, batch)
  }
  await Promise.all(Array.from({ length: concurrency }, work))
}

async function sendAll(client: DynamoDBClient, batch: Record<string, WriteRequest[]>): Promise<void> {
  let rest: Record<string, WriteRequest[]> = batch
  while (Object.keys(rest).length > 0) {
    const { UnprocessedItems } = await client.send(new BatchWriteItemCommand({ RequestItems: rest }))
    rest = UnprocessedItems ?? {}
  }
}
