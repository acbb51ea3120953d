import type { Item } from '@hashrange/core'
import type { Call } from '../../../api/api.ts'
import { keyNames, schemaKeys } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'
import { inSlices } from '../../../values/in-slices.ts'
import type { KeyFind } from '../find/find-request.ts'
import { sourceInput } from './source-rows.ts'
import { baseKey, keyText } from '../keys/keys.ts'

/** The page holds no more keys than these. */
export const mostKeys = 200_000

interface KeysPage {
  readonly Items: readonly Item[]
  readonly LastEvaluatedKey?: Item
}

/** The keys, as text, of all items that are found, or of all there are. */
export async function readKeys(
  call: Call,
  table: TableDescription,
  indexName: string | undefined,
  find: KeyFind | undefined,
  signal: AbortSignal,
  report: (done: number) => void,
): Promise<{ readonly keys: ReadonlySet<string>; readonly isComplete: boolean }> {
  const names = keyNames(schemaKeys(table.KeySchema))
  const input = find?.input as { readonly ExpressionAttributeNames?: Readonly<Record<string, string>> } | undefined
  const request = {
    ...sourceInput(table, indexName),
    ...input,
    ProjectionExpression: names.map((_, at) => `#own${String(at)}`).join(', '),
    ExpressionAttributeNames: {
      ...input?.ExpressionAttributeNames,
      ...Object.fromEntries(names.map((name, at) => [`#own${String(at)}`, name])),
    },
  }
  const keys = new Set<string>()
  let next: Item | undefined
  do {
    const page: KeysPage = await call<KeysPage>(
      find?.operation ?? 'Scan',
      { ...request, ...(next !== undefined && { ExclusiveStartKey: next }) },
      signal,
    )
    for await (const items of inSlices(page.Items)) {
      for (const item of items) keys.add(keyText(baseKey(table, item)))
    }
    next = page.LastEvaluatedKey
    report(keys.size)
  } while (next !== undefined && keys.size < mostKeys)
  return { keys, isComplete: next === undefined }
}
