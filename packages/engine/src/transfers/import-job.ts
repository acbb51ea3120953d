import type { ImportTableInput } from '../api/transfer-inputs.ts'
import { tableArn } from '../definitions/table-arn.ts'
import type { Compression } from './buckets.ts'
import type { TransferJob } from './transfer-job.ts'

/** An import of a table. ON DISK as JSON. */
export interface ImportJob extends TransferJob {
  readonly bucket: string
  readonly bucketOwner?: string
  readonly prefix?: string
  readonly format: ImportTableInput['InputFormat']
  readonly csv?: NonNullable<ImportTableInput['InputFormatOptions']>['Csv']
  readonly compression: Compression
  readonly table: ImportTableInput['TableCreationParameters']
  readonly counts: ImportCounts
  /** The outcome of the import once its table can be used. From then on nothing is imported any more, however often
   *  it is continued. */
  readonly ending?: ImportJob
}

export interface ImportCounts {
  /** Of the decompressed contents of the files. */
  readonly processedBytes: number
  readonly processedItems: number
  readonly importedItems: number
  readonly errors: number
}

export const noImportCounts: ImportCounts = { processedBytes: 0, processedItems: 0, importedItems: 0, errors: 0 }

export function importArnOf(job: ImportJob): string {
  return `${tableArn(job)}/import/${job.id}`
}
