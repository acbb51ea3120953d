import { attributeOf, type AttributeValue, type Item } from '@hashrange/core'
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'

type ColumnType = 'STRING' | 'DOUBLE' | 'BOOLEAN' | 'JSON'

/** Items as a Parquet file. Their columns have to be known before the first is written: all items are seen once, then written. */
export class ItemsParquet {
  readonly #types = new Map<string, ColumnType | undefined>()
  #writer: PartsWriter | undefined
  #file: ParquetWriter | undefined

  /** `first` are the columns that stand first. */
  constructor(first: readonly string[] = []) {
    for (const name of first) this.#types.set(name, undefined)
  }

  see(items: readonly Item[]): void {
    for (const item of items) {
      for (const [name, value] of Object.entries(item)) {
        const type = typeOf(value)
        const known = this.#types.get(name)
        this.#types.set(
          name,
          known === undefined || known === type ? (type ?? known) : type === undefined ? known : wider(known, type),
        )
      }
    }
  }

  write(items: readonly Item[]): void {
    if (items.length === 0) return
    const file = this.#begun()
    const columns = this.#columns()
    const columnData = columns.map(([name, type]) => ({
      name,
      data: items.map((item) => cellOf(attributeOf(item, name), type)),
    }))
    void file.write({ columnData, rowGroupSize: items.length })
  }

  end(): Blob {
    void this.#begun().finish()
    return new Blob([...(this.#writer?.taken() ?? [])], { type: 'application/vnd.apache.parquet' })
  }

  #begun(): ParquetWriter {
    this.#writer ??= new PartsWriter()
    this.#file ??= new ParquetWriter({ writer: this.#writer, schema: schemaOf(this.#columns()) })
    return this.#file
  }

  #columns(): readonly (readonly [name: string, type: ColumnType])[] {
    return [...this.#types].map(([name, type]) => [name, type ?? 'STRING'] as const)
  }
}

/** Hands what is written to the browser, row group by row group: the page does not hold the file. */
class PartsWriter extends ByteWriter {
  readonly #parts: Blob[] = []

  flush(): void {
    if (this.index === 0) return
    this.#parts.push(new Blob([this.getBuffer()]))
    this.index = 0
  }

  taken(): readonly Blob[] {
    this.flush()
    return this.#parts
  }
}

/** A number is one only if a double holds it exactly; what is nothing has any type. */
function typeOf(value: AttributeValue): ColumnType | undefined {
  if ('S' in value) return 'STRING'
  if ('N' in value) return isExact(value.N) ? 'DOUBLE' : 'STRING'
  if ('BOOL' in value) return 'BOOLEAN'
  return 'NULL' in value ? undefined : 'JSON'
}

function isExact(text: string): boolean {
  return text.length <= 15 && Number.isFinite(Number(text))
}

/** Where the items disagree, the column is JSON, except that a long number makes a text of a column of numbers. */
function wider(known: ColumnType, type: ColumnType): ColumnType {
  const both = new Set([known, type])
  return both.has('JSON') || both.has('BOOLEAN') ? 'JSON' : 'STRING'
}

function cellOf(value: AttributeValue | undefined, type: ColumnType): string | number | boolean | null {
  if (value === undefined || 'NULL' in value) return null
  switch (type) {
    case 'JSON':
      return JSON.stringify(value)
    case 'STRING':
      if ('S' in value) return value.S
      if ('N' in value) return value.N
      break
    case 'DOUBLE':
      if ('N' in value) return Number(value.N)
      break
    case 'BOOLEAN':
      if ('BOOL' in value) return value.BOOL
  }
  throw new Error('An item was changed during the export, so that its columns no longer fit. Export again.')
}

function schemaOf(columns: readonly (readonly [string, ColumnType])[]): SchemaElement[] {
  return [
    { name: 'root', num_children: columns.length },
    ...columns.map(([name, type]): SchemaElement => ({
      name,
      repetition_type: 'OPTIONAL',
      ...(type === 'DOUBLE' || type === 'BOOLEAN' ? { type } : { type: 'BYTE_ARRAY', converted_type: 'UTF8' }),
    })),
  ]
}
