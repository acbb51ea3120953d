import { attributeOf, setAttribute, type AttributeValue, type Item } from '@hashrange/core'
import { typeOfKey } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'
import { fromDynamoDbJson, fromPlainJson } from '../../../values/item-json.ts'
import { checkItem } from '../write/check-item.ts'
import { valueOfCell } from '../../../values/csv-cells.ts'
import { CsvSplitter, JsonSplitter, type FileRecord } from './split-records.ts'

export type FileFormat = 'csv' | 'json' | 'dynamodb'

export type ReadItem =
  | { readonly kind: 'item'; readonly line: number; readonly item: Item }
  | { readonly kind: 'mistake'; readonly line: number; readonly message: string }

export interface ReadOptions {
  readonly format: FileFormat
  /** Of CSV: whether cells are text, apart from keys, rather than what they look like. */
  readonly areAllText: boolean
}

/** The items of a file, one piece of text at a time. What cannot be an item of this table is reported with its line. */
export class ItemReader {
  readonly #table: TableDescription
  readonly #options: ReadOptions
  readonly #splitter: JsonSplitter | CsvSplitter
  #header: readonly string[] | undefined

  constructor(table: TableDescription, options: ReadOptions) {
    this.#table = table
    this.#options = options
    this.#splitter = options.format === 'csv' ? new CsvSplitter() : new JsonSplitter()
  }

  push(text: string): ReadItem[] {
    return this.#read(this.#splitter.push(text))
  }

  end(): ReadItem[] {
    return this.#read(this.#splitter.end())
  }

  #read(records: readonly FileRecord<string | readonly string[]>[]): ReadItem[] {
    return records.flatMap(({ line, content }): ReadItem[] => {
      if (typeof content !== 'string' && this.#header === undefined) {
        this.#header = content.map((name) => name.trim())
        return headerMistakes(this.#header, line)
      }
      try {
        const item = typeof content === 'string' ? this.#jsonItem(content) : this.#csvItem(content)
        const [problem] = checkItem(this.#table, item)
        return problem === undefined
          ? [{ kind: 'item', line, item }]
          : [{ kind: 'mistake', line, message: problem.message }]
      } catch (error) {
        return [{ kind: 'mistake', line, message: error instanceof Error ? error.message : String(error) }]
      }
    })
  }

  #jsonItem(text: string): Item {
    return this.#options.format === 'json' ? fromPlainJson(text) : fromDynamoDbJson(unwrapped(text))
  }

  #csvItem(cells: readonly string[]): Item {
    const header = this.#header ?? []
    if (cells.length > header.length) {
      throw new Error(`The line has ${String(cells.length)} cells, but the header has ${String(header.length)}.`)
    }
    const item: Record<string, AttributeValue> = {}
    for (const [at, cell] of cells.entries()) {
      const name = header[at] ?? ''
      const isKey = this.#table.AttributeDefinitions.some(({ AttributeName }) => AttributeName === name)
      const value = valueOfCell(cell, isKey ? typeOfKey(this.#table, name) : undefined, this.#options.areAllText)
      if (value !== undefined) setAttribute(item, name, value)
    }
    return item
  }
}

/** What a file is, by its name and how it begins. */
export function formatOf(name: string, beginning: string): FileFormat {
  if (/\.(csv|tsv)$/i.test(name)) return 'csv'
  const text = beginning.trimStart().replace(/^\ufeff/, '')
  if (!text.startsWith('{') && !text.startsWith('[')) return 'csv'
  return /^[[\s]*\{\s*"(?:Item"\s*:\s*\{|(?:[^"\\]|\\.)*"\s*:\s*\{\s*"(?:S|N|B|BOOL|NULL|L|M|SS|NS|BS)"\s*:)/.test(
    text,
  )
    ? 'dynamodb'
    : 'json'
}

/** The service's exports have each item in an object of its own: `{"Item": { … }}`. */
function unwrapped(text: string): string {
  const match = /^\s*\{\s*"Item"\s*:\s*(?=\{)/.exec(text)
  if (match === null) return text
  const inner = text.slice(match[0].length).trimEnd().replace(/\}$/, '')
  try {
    const item = fromDynamoDbJson(text)
    // An attribute that is called Item.
    if (attributeOf(item, 'Item') !== undefined) return text
  } catch {
    return inner
  }
  return inner
}

function headerMistakes(header: readonly string[], line: number): ReadItem[] {
  if (header.includes('')) return [{ kind: 'mistake', line, message: 'A column in the header has no name.' }]
  const twice = header.find((name, at) => header.indexOf(name) !== at)
  return twice === undefined ? [] : [{ kind: 'mistake', line, message: `The header names "${twice}" twice.` }]
}
