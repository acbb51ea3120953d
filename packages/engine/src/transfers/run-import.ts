import { ServiceError } from '@hashrange/core'
import { breathe, type Stopping } from '../work/background-work.ts'
import type { Table } from '../catalog/table.ts'
import type { Transacting } from '../catalog/transact-on-tables.ts'
import { BucketError, type BucketObject, type Buckets } from './buckets.ts'
import { BulkLoad } from './bulk-load.ts'
import { CsvDecoder } from './formats/csv.ts'
import { IonDecoder } from './formats/ion.ts'
import { ItemScanner } from './formats/item-scanner.ts'
import { JsonLinesDecoder } from './formats/json-lines.ts'
import type { Row, RowDecoder } from './formats/row-decoder.ts'
import { ImportErrors, importLogFolder } from './import-errors.ts'
import type { ImportCounts, ImportJob } from './import-job.ts'

/** Reads the objects of an import into its table. Rows that are not items are left out and listed in the bucket. */
export class ImportRun {
  readonly #buckets: Buckets
  readonly #table: Table
  readonly #job: ImportJob
  readonly #load: BulkLoad
  readonly #errors = new ImportErrors()
  #processedBytes = 0
  #processedItems = 0
  #importedItems = 0

  constructor(engine: Transacting, buckets: Buckets, table: Table, job: ImportJob) {
    this.#buckets = buckets
    this.#table = table
    this.#job = job
    this.#load = new BulkLoad(engine, table)
  }

  get counts(): ImportCounts {
    return {
      processedBytes: this.#processedBytes,
      processedItems: this.#processedItems,
      importedItems: this.#importedItems,
      errors: this.#errors.count,
    }
  }

  async run(stopping: Stopping): Promise<void> {
    const { bucket, prefix = '' } = this.#job
    const objects = (await this.#buckets.list(bucket, prefix)).filter(isData)
    try {
      for (const object of objects) await this.#importObject(object, stopping)
      await this.#load.finish()
    } finally {
      await this.#load.abandon()
    }
    await this.#errors.write(this.#buckets, this.#job).catch(() => undefined)
  }

  async #importObject({ key }: BucketObject, stopping: Stopping): Promise<void> {
    const decoder = this.#decoder()
    let itemIndex = 0
    let line = 0
    const importRows = (rows: readonly Row[]): void => {
      for (const row of rows) {
        line = row.line
        this.#importRow(key, itemIndex++, row)
      }
    }
    // If rows cannot be read any further, the file is at fault; anything else ends the import.
    const chunks = this.#buckets.read(this.#job.bucket, key, this.#job.compression)
    const iterator = chunks[Symbol.asyncIterator]()
    for (;;) {
      if (stopping.aborted) throw new Error('stopping')
      const next = await iterator.next().catch((error: unknown) => {
        if (error instanceof BucketError) throw error
        const reason = error instanceof Error ? error.message : String(error)
        const message = `The object cannot be decompressed (${reason}); the rest of it is not imported`
        this.#errors.add({ key, itemIndex, line: line + 1, message })
        return undefined
      })
      if (next === undefined) return
      if (next.done === true) break
      this.#processedBytes += next.value.length
      importRows(decoder.push(next.value))
      if (this.#load.isFull) await this.#load.beginWrite()
      await breathe()
    }
    importRows(decoder.end())
  }

  #importRow(key: string, itemIndex: number, row: Row): void {
    this.#processedItems++
    if (row.fault !== undefined) {
      this.#errors.add({ key, itemIndex, line: row.line, message: row.fault })
      return
    }
    try {
      this.#load.add(row.item)
      this.#importedItems++
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      this.#errors.add({ key, itemIndex, line: row.line, message: error.message })
    }
  }

  #decoder(): RowDecoder {
    const { format, csv } = this.#job
    switch (format) {
      case 'DYNAMODB_JSON':
        return new JsonLinesDecoder(new ItemScanner(Object.keys(this.#table.definition.attributeTypes)))
      case 'ION':
        return new IonDecoder()
      case 'CSV':
        return new CsvDecoder({
          delimiter: csv?.Delimiter ?? ',',
          header: csv?.HeaderList,
          keyTypes: this.#table.definition.attributeTypes,
        })
    }
  }
}

/** The folder of an export can be imported as it is: its manifest is not data, nor is a log of ours. */
function isData({ key, sizeBytes }: BucketObject): boolean {
  if (sizeBytes === 0 || key.startsWith(importLogFolder)) return false
  return !/(?:^|\/)AWSDynamoDB\/[^/]+\/(?:_started|hashrange-table\.json|manifest-(?:files|summary)\.(?:json|md5|checksum))$/.test(
    key,
  )
}
