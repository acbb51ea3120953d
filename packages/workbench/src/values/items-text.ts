import { attributeOf, type Item } from '@hashrange/core'
import { cellOf, csvLine, tsvLine } from './csv-cells.ts'
import { toPlainJson } from './item-json.ts'

/** `dynamodb` has a line for each item, with types, as the service's exports do; `tsv` is what spreadsheets have in the clipboard. */
export type ItemsFormat = 'csv' | 'tsv' | 'json' | 'dynamodb'

/** Items as the text of a file, or for the clipboard. `first` are the columns that stand first where there are columns. */
export function itemsText(items: readonly Item[], format: ItemsFormat, first: readonly string[] = []): string {
  switch (format) {
    case 'json':
      return items.length === 0 ? '[]\n' : `[\n${items.map((item) => toPlainJson(item)).join(',\n')}\n]\n`
    case 'dynamodb':
      return items.map((item) => `${JSON.stringify({ Item: item })}\n`).join('')
    case 'csv':
    case 'tsv': {
      const columns = columnsOf(items, first)
      const line = format === 'csv' ? csvLine : tsvLine
      const rows = items.map((item) => line(columns.map((name) => cellIn(item, name))))
      // Spreadsheets read a file as UTF-8 if it begins with this mark.
      return `${format === 'csv' ? '\ufeff' : ''}${line(columns)}${rows.join('')}`
    }
  }
}

/** What a file of a format ends in. */
export const endingOf: Readonly<Record<ItemsFormat, string>> = {
  csv: 'csv',
  tsv: 'tsv',
  json: 'json',
  dynamodb: 'dynamodb.jsonl',
}

export function cellIn(item: Item, name: string): string {
  const value = attributeOf(item, name)
  return value === undefined ? '' : cellOf(value)
}

function columnsOf(items: readonly Item[], first: readonly string[]): readonly string[] {
  const names = new Set<string>()
  for (const item of items) for (const name of Object.keys(item)) names.add(name)
  return [...first.filter((name) => names.delete(name)), ...names]
}
