import type { Caller } from './clients/caller.ts'

/** All items of a table or of one of its indexes. */
export async function scanAll<Item>(
  caller: Caller,
  TableName: string,
  IndexName?: string,
): Promise<readonly Item[]> {
  const items: Item[] = []
  let start: object | undefined
  do {
    const page: { Items: readonly Item[]; LastEvaluatedKey?: object } = await caller.insist('Scan', {
      TableName,
      ...(IndexName === undefined ? { ConsistentRead: true } : { IndexName }),
      ...(start !== undefined && { ExclusiveStartKey: start }),
    })
    items.push(...page.Items)
    start = page.LastEvaluatedKey
  } while (start !== undefined)
  return items
}
