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
  const inGlobal = items.filter(({ g }) => g !== undefined)
  const { Table } = await client.call<{ Table: Counts }>('DescribeTable', { TableName: itemTable })
  return [
    ...differences('global', await scan(client, 'global'), inGlobal),
    ...differences('local', await scan(client, 'local'), items),
    ...wrongCount('the table', Table.ItemCount, items.length),
    ...wrongCount('the global index', Table.GlobalSecondaryIndexes[0]?.ItemCount, inGlobal.length),
    ...wrongCount('the local index', Table.LocalSecondaryIndexes[0]?.ItemCount, items.length),
  ]
}

interface Counts {
  readonly ItemCount: number
  readonly GlobalSecondaryIndexes: readonly { readonly ItemCount: number }[]
  readonly LocalSecondaryIndexes: readonly { readonly ItemCount: number }[]
}

function wrongCount(what: string, counted: number | undefined, actual: number): readonly string[] {
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
