import { isDeepStrictEqual } from 'node:util'
import type { ApiClient } from '../support/api-client.ts'
import type { StreamRecord } from '../support/stream-reader.ts'
import { counterTable, itemOf, itemTable, keyOf, type Item } from './items.ts'
import type { Change } from './ledger.ts'

/** All items of the table or of one of its indexes. */
export async function scan(client: ApiClient, IndexName?: string): Promise<readonly Item[]> {
  const items: Item[] = []
  let start: object | undefined
  do {
    const page: { Items: readonly Item[]; LastEvaluatedKey?: object } = await client.call('Scan', {
      TableName: itemTable,
      ...(IndexName === undefined ? { ConsistentRead: true } : { IndexName }),
      ...(start !== undefined && { ExclusiveStartKey: start }),
    })
    items.push(...page.Items)
    start = page.LastEvaluatedKey
  } while (start !== undefined)
  return items
}

/** Items whose content is not that of their version. */
export function spoiltItems(items: readonly Item[]): readonly string[] {
  return items
    .filter((item) => !isDeepStrictEqual(item, itemOf({ key: keyOf(item), version: Number(item.v.N) })))
    .map((item) => `${keyOf(item)} is spoilt: ${JSON.stringify(item).slice(0, 300)}`)
}

/** Whether indexes and counts are exactly those of the items. */
export async function checkIndexes(client: ApiClient, items: readonly Item[]): Promise<readonly string[]> {
  const table = await describeWhenActive(client)
  const problems = wrongCount('the table', table.ItemCount, items.length)
  const indexes = [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])]
  for (const { IndexName, ItemCount } of indexes) {
    const held = IndexName === 'global' ? items.filter(({ g }) => g !== undefined) : items
    problems.push(...wrongCount(`index ${IndexName}`, ItemCount, held.length))
    problems.push(...differences(IndexName, await scan(client, IndexName), held))
  }
  return problems
}

interface TableDescription {
  readonly TableStatus: string
  readonly ItemCount: number
  readonly GlobalSecondaryIndexes?: readonly IndexDescription[]
  readonly LocalSecondaryIndexes?: readonly IndexDescription[]
}

interface IndexDescription {
  readonly IndexName: string
  readonly IndexStatus?: string
  readonly ItemCount: number
}

/** What was being made or removed when the server was killed goes on by itself. */
export async function describeWhenActive(client: ApiClient): Promise<TableDescription> {
  const deadlineMs = Date.now() + 60_000
  for (;;) {
    const { Table } = await client.call<{ Table: TableDescription }>('DescribeTable', { TableName: itemTable })
    const statuses = Table.GlobalSecondaryIndexes?.map(({ IndexStatus }) => IndexStatus) ?? []
    if ([Table.TableStatus, ...statuses].every((status) => status === 'ACTIVE')) return Table
    if (Date.now() > deadlineMs) throw new Error(`indexes are not ready after a minute: ${JSON.stringify(Table)}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function wrongCount(what: string, counted: number, actual: number): string[] {
  return counted === actual ? [] : [`${what} is counted as ${counted} items and holds ${actual}`]
}

function differences(index: string, entries: readonly Item[], items: readonly Item[]): readonly string[] {
  const problems: string[] = []
  const byKey = new Map(items.map((item) => [keyOf(item), item]))
  for (const entry of entries) {
    const key = keyOf(entry)
    const item = byKey.get(key)
    if (!isDeepStrictEqual(item, entry)) {
      problems.push(`index ${index} shows ${key} at version ${entry.v.N}; the table has ${item?.v.N ?? 'nothing'}`)
    }
    byKey.delete(key)
  }
  for (const key of byKey.keys()) problems.push(`index ${index} misses ${key}, or shows another twice`)
  return problems
}

/** How many transactions with a token have happened. */
export async function countedTransactions(client: ApiClient): Promise<number> {
  const { Item } = await client.call<{ Item?: { n: { N: string } } }>('GetItem', {
    TableName: counterTable,
    Key: { pk: { S: 'transactions' } },
    ConsistentRead: true,
  })
  return Number(Item?.n.N ?? 0)
}

/** Whether the records are exactly the changes, each item's in order. */
export function checkRecords(
  records: readonly StreamRecord<Item>[],
  changes: readonly Change[],
): readonly string[] {
  const problems: string[] = []
  const expected = byItem(changes)
  for (const { eventName, dynamodb } of records) {
    const { NewImage, OldImage } = dynamodb
    const image = NewImage ?? OldImage
    const key = image === undefined ? JSON.stringify(dynamodb.Keys) : keyOf(image)
    const change = expected.get(key)?.shift()
    const shown = `${eventName} ${key} from ${OldImage?.v.N ?? 'nothing'} to ${NewImage?.v.N ?? 'nothing'}`
    if (change === undefined) problems.push(`the stream shows ${shown}, which has not happened, or not again`)
    else if (shown !== describe(change)) problems.push(`the stream shows ${shown} instead of ${describe(change)}`)
  }
  for (const left of expected.values()) {
    for (const change of left) problems.push(`the stream misses ${describe(change)}`)
  }
  return problems
}

function describe({ key, version, isDelete, replaced }: Change): string {
  const name = isDelete ? 'REMOVE' : replaced === undefined ? 'INSERT' : 'MODIFY'
  return `${name} ${key} from ${replaced ?? 'nothing'} to ${isDelete ? 'nothing' : version}`
}

function byItem(changes: readonly Change[]): Map<string, Change[]> {
  const groups = new Map<string, Change[]>()
  for (const change of changes) {
    const known = groups.get(change.key)
    if (known === undefined) groups.set(change.key, [change])
    else known.push(change)
  }
  return groups
}
