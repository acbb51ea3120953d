import { BucketError, type Buckets, type Compression } from '@hashrange/engine'
import { CsvDecoder, IonDecoder, JsonLinesDecoder, type Row, type RowDecoder } from '@hashrange/engine/formats'
import type { Progress } from './progress.ts'
import { StateFile } from './state-file.ts'
import { errorCode, type DatabasePort, type WireItem } from './tables/database-port.ts'
import { tableKeys, type TableKeys } from './tables/table-keys.ts'
import { writeItems } from './tables/write-items.ts'

export type ImportFormat = 'DYNAMODB_JSON' | 'ION' | 'CSV'

export interface ImportOptions {
  readonly to: DatabasePort
  readonly tableName: string
  readonly buckets: Buckets
  readonly bucket: string
  readonly prefix: string
  /** By default, the names of the objects say it. */
  readonly format?: ImportFormat | undefined
  readonly csv?: { readonly delimiter?: string | undefined; readonly header?: readonly string[] | undefined }
  readonly statePath: string
  readonly progress: Progress
  readonly signal: AbortSignal
  /** Called for every row that is not imported. */
  readonly badRow: (key: string, line: number, reason: string) => void
}

export interface ImportOutcome {
  readonly isComplete: boolean
  readonly items: number
  readonly errors: number
}

interface ImportState {
  readonly to: string
  readonly tableName: string
  readonly bucket: string
  readonly prefix: string
  /** How many rows of each object have been processed. */
  readonly rows: Readonly<Record<string, number>>
  readonly doneObjects: readonly string[]
  readonly items: number
  readonly errors: number
}

const rowsAtOnce = 1_000

/** Puts the rows of files into an existing table. Rows that are not items are reported and left out. */
export async function importItems(options: ImportOptions): Promise<ImportOutcome> {
  const { to, tableName, buckets, bucket, prefix, progress, signal } = options
  const fresh = { to: to.name, tableName, bucket, prefix, rows: {}, doneObjects: [], items: 0, errors: 0 }
  const { file } = await StateFile.open<ImportState>(options.statePath, fresh, (found) =>
    (['to', 'tableName', 'bucket', 'prefix'] as const).every((name) => found[name] === fresh[name]),
  )
  const objects = named(await buckets.list(bucket, prefix), prefix).filter(
    ({ key, sizeBytes }) => sizeBytes > 0 && isData(key),
  )
  if (objects.length === 0) {
    const place = prefix === '' ? bucket : `${bucket}/${prefix}`
    throw new Error(`There is nothing to import in ${place}: it contains no data files.`)
  }
  const keys = await tableKeys(to, tableName)
  progress.begin(tableName, undefined, file.state.items)
  try {
    for (const { key } of objects) {
      if (signal.aborted) break
      if (!file.state.doneObjects.includes(key)) await new ObjectImport(options, file, key, keys).run()
    }
  } finally {
    progress.end()
    await file.save()
  }
  const { items, errors, doneObjects } = file.state
  const isComplete = objects.every(({ key }) => doneObjects.includes(key))
  if (isComplete) await file.remove()
  return { isComplete, items, errors }
}

class ObjectImport {
  readonly #options: ImportOptions
  readonly #file: StateFile<ImportState>
  readonly #key: string
  readonly #decoder: RowDecoder
  readonly #keyNames: readonly string[]
  #skip: number
  #rows: Row[] = []

  constructor(options: ImportOptions, file: StateFile<ImportState>, key: string, keys: TableKeys) {
    this.#options = options
    this.#file = file
    this.#key = key
    this.#keyNames = keys.names
    this.#decoder = decoderOf(options, key, keys.types)
    this.#skip = file.state.rows[key] ?? 0
  }

  async run(): Promise<void> {
    const { buckets, bucket, signal } = this.#options
    for await (const chunk of this.#readable(buckets.read(bucket, this.#key, compressionOf(this.#key)))) {
      await this.#take(this.#decoder.push(chunk), rowsAtOnce)
      if (signal.aborted) return
    }
    await this.#take(this.#decoder.end(), 1)
    const { state } = this.#file
    this.#file.change({ ...state, doneObjects: [...state.doneObjects, this.#key] })
  }

  /** What fails to decompress does not say which object it is. */
  async *#readable(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks
    } catch (error) {
      if (error instanceof BucketError) throw error
      const reason = error instanceof Error ? error.message : String(error)
      throw new Error(`${this.#key} cannot be read: ${reason}.`, { cause: error })
    }
  }

  async #take(rows: readonly Row[], enough: number): Promise<void> {
    const skipped = Math.min(this.#skip, rows.length)
    this.#skip -= skipped
    this.#rows.push(...rows.slice(skipped))
    if (this.#rows.length < enough) return
    const taken = this.#rows
    this.#rows = []
    const errors = await this.#write(taken)
    const { state } = this.#file
    const done = (state.rows[this.#key] ?? 0) + taken.length
    this.#file.change({
      ...state,
      rows: { ...state.rows, [this.#key]: done },
      items: state.items + taken.length - errors,
      errors: state.errors + errors,
    })
    this.#options.progress.add(taken.length - errors)
  }

  /** Returns how many rows are not items. Of rows with the same key the last one counts: a batch must not contain
   *  both. */
  async #write(rows: readonly Row[]): Promise<number> {
    let errors = 0
    const byKey = new Map<string, { readonly line: number; readonly item: WireItem }>()
    for (const row of rows) {
      if (row.fault === undefined) {
        const item = row.item as WireItem
        byKey.set(JSON.stringify(this.#keyNames.map((name) => item[name])), { line: row.line, item })
      } else {
        errors++
        this.#options.badRow(this.#key, row.line, row.fault)
      }
    }
    const good = [...byKey.values()]
    const { to, tableName } = this.#options
    try {
      await writeItems(
        to,
        tableName,
        good.map(({ item }) => item),
      )
    } catch (error) {
      if (!isRefusal(error)) throw error
      for (const { line, item } of good) errors += await this.#writeAlone(line, item)
    }
    return errors
  }

  /** One rejected item makes the service reject its whole batch: then each item is tried separately. */
  async #writeAlone(line: number, Item: WireItem): Promise<number> {
    const { to, tableName, badRow } = this.#options
    try {
      await to.request('PutItem', { TableName: tableName, Item })
      return 0
    } catch (error) {
      if (!isRefusal(error)) throw error
      badRow(this.#key, line, error instanceof Error ? error.message : String(error))
      return 1
    }
  }
}

function decoderOf({ format, csv }: ImportOptions, key: string, keyTypes: TableKeys['types']): RowDecoder {
  switch (format ?? formatOf(key)) {
    case 'DYNAMODB_JSON':
      return new JsonLinesDecoder()
    case 'ION':
      return new IonDecoder()
    case 'CSV':
      return new CsvDecoder({ delimiter: csv?.delimiter ?? ',', header: csv?.header, keyTypes })
  }
}

function formatOf(key: string): ImportFormat {
  const name = key.replace(/\.(?:gz|zst|zstd)$/, '')
  if (name.endsWith('.csv')) return 'CSV'
  if (name.endsWith('.ion')) return 'ION'
  return 'DYNAMODB_JSON'
}

function compressionOf(key: string): Compression {
  if (key.endsWith('.gz')) return 'GZIP'
  return /\.zstd?$/.test(key) ? 'ZSTD' : 'NONE'
}

/** A named file is meant alone, and not those whose names start with its name. */
function named<Found extends { readonly key: string }>(
  objects: readonly Found[],
  prefix: string,
): readonly Found[] {
  const exact = objects.filter(({ key }) => key === prefix)
  return exact.length > 0 ? exact : objects
}

/** The folder of an export can be imported as it is: its manifest is not data. */
function isData(key: string): boolean {
  if (key.startsWith('hashrange-imports/')) return false
  return !/(?:^|\/)(?:_started|hashrange-table\.json|manifest-(?:files|summary)\.(?:json|md5|checksum))$/.test(key)
}

function isRefusal(error: unknown): boolean {
  const code = errorCode(error)
  return code === 'ValidationException' || code === 'SerializationException'
}
