import type { Item } from '@hashrange/core'
import type { Call } from '../../../api/api.ts'
import { keyNames, schemaKeys } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'
import { toPlainJson } from '../../../values/item-json.ts'
import type { KeyFind } from '../find/find-request.ts'
import type { KeyList } from '../keys/keys.ts'
import { sourceInput } from '../rows/source-rows.ts'
import { csvLine } from '../../../values/csv-cells.ts'
import { inSlices } from '../../../values/in-slices.ts'
import { cellIn, endingOf } from '../../../values/items-text.ts'
import type { FileFormat } from './read-items.ts'

/** What can be written; not all of it can be read again. */
export type ExportFormat = FileFormat | 'parquet'

export interface ExportWish {
  readonly format: ExportFormat
  readonly indexName: string | undefined
  /** These items, whole; otherwise what is found, otherwise everything. */
  readonly keys: KeyList | undefined
  readonly find: KeyFind | undefined
}

/** A file of items. Its parts are handed to the browser as they come, which keeps them out of the page's memory. */
export async function exportItems(
  call: Call,
  table: TableDescription,
  wish: ExportWish,
  signal: AbortSignal,
  tell: (items: number, note: string) => void,
): Promise<Blob> {
  const parts: Blob[] = []
  const add = (text: string): void => void parts.push(new Blob([text]))
  let count = 0
  if (wish.format === 'parquet') {
    const { ItemsParquet } = await import('../../../values/items-parquet.ts')
    const file = new ItemsParquet(keyNames(schemaKeys(table.KeySchema)))
    for await (const page of pagesOf(call, table, wish, signal)) {
      file.see(page)
      tell(count, 'looking for columns')
    }
    for await (const page of pagesOf(call, table, wish, signal)) {
      file.write(page)
      tell((count += page.length), '')
    }
    return file.end()
  }
  if (wish.format === 'csv') {
    // The header names every attribute: they are collected first.
    const names = new Set(keyNames(schemaKeys(table.KeySchema)))
    for await (const page of pagesOf(call, table, wish, signal)) {
      for (const item of page) for (const name of Object.keys(item)) names.add(name)
      tell(count, 'looking for columns')
    }
    const columns = [...names]
    // Spreadsheets read UTF-8 if it begins with this mark.
    add(`\ufeff${csvLine(columns)}`)
    for await (const page of pagesOf(call, table, wish, signal)) {
      add(page.map((item) => csvLine(columns.map((name) => cellIn(item, name)))).join(''))
      tell((count += page.length), '')
    }
    return new Blob(parts, { type: 'text/csv' })
  }
  for await (const page of pagesOf(call, table, wish, signal)) {
    if (page.length === 0) continue
    const lead = count === 0 ? '[\n' : ',\n'
    if (wish.format === 'json') add(lead + page.map((item) => toPlainJson(item)).join(',\n'))
    else add(page.map((item) => `${JSON.stringify({ Item: item })}\n`).join(''))
    tell((count += page.length), '')
  }
  if (wish.format === 'json') add(count === 0 ? '[]\n' : '\n]\n')
  return new Blob(parts, { type: 'application/json' })
}

export function fileName(table: TableDescription, { format, indexName }: ExportWish): string {
  const name = indexName === undefined ? table.TableName : `${table.TableName}.${indexName}`
  return `${name}.${format === 'parquet' ? format : endingOf[format]}`
}

interface ItemsPage {
  readonly Items: readonly Item[]
  readonly LastEvaluatedKey?: Item
}

/** The items that are wished, page by page, or part of a page by part. */
export async function* pagesOf(
  call: Call,
  table: TableDescription,
  { keys, find, indexName }: Omit<ExportWish, 'format'>,
  signal: AbortSignal,
): AsyncGenerator<readonly Item[]> {
  if (keys !== undefined) {
    let batch: Item[] = []
    for (const key of keys) {
      batch.push(key)
      if (batch.length < 100) continue
      yield* batchOf(call, table, batch, signal)
      batch = []
    }
    yield* batchOf(call, table, batch, signal)
    return
  }
  let next: Item | undefined
  do {
    const input = {
      ...sourceInput(table, indexName),
      ...find?.input,
      ...(next !== undefined && { ExclusiveStartKey: next }),
    }
    const page: ItemsPage = await call<ItemsPage>(find?.operation ?? 'Scan', input, signal)
    yield* inSlices(page.Items)
    next = page.LastEvaluatedKey
  } while (next !== undefined)
}

async function* batchOf(
  call: Call,
  table: TableDescription,
  keys: readonly Item[],
  signal: AbortSignal,
): AsyncGenerator<readonly Item[]> {
  let rest: readonly Item[] = keys
  while (rest.length > 0) {
    const answer = await call<{
      Responses: Record<string, readonly Item[]>
      UnprocessedKeys?: Record<string, { Keys: readonly Item[] }>
    }>('BatchGetItem', { RequestItems: { [table.TableName]: { Keys: rest, ConsistentRead: true } } }, signal)
    yield answer.Responses[table.TableName] ?? []
    rest = answer.UnprocessedKeys?.[table.TableName]?.Keys ?? []
  }
}
