import { validationException } from '@hashrange/core'
import type { ImportTableInput } from '../api/transfer-inputs.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'
import { checkAccountQuota, unitsOfOthers } from '../tables/check-quotas.ts'
import { readTableDefinition } from '../tables/read-table-definition.ts'
import { describeImportJob, type ImportTableDescription } from '../transfers/describe-import.ts'
import { noImportCounts, type ImportJob } from '../transfers/import-job.ts'
import { transferJobId } from '../transfers/transfer-job.ts'

export interface ImportTableOutput {
  readonly ImportTableDescription: ImportTableDescription
}

export async function importTable(
  engine: EngineParts,
  scope: Scope,
  input: ImportTableInput,
): Promise<ImportTableOutput> {
  const { clock, randomness, transfers, catalog } = engine
  const nowMs = clock.now()
  const context = { scope, nowMs, uuid: () => randomness.uuid() }
  assertOptionsSuit(input)
  const table = readTableDefinition(input.TableCreationParameters, context)
  checkAccountQuota(undefined, table, unitsOfOthers(catalog, scope), scope.region)
  // The job is stored before its table is created: an interruption in between leaves no table that nobody fills.
  const draft = jobOf(scope, input, table.tableName, transferJobId(nowMs, randomness.uuid()), nowMs)
  // The service reports the same token with another table as a conflict, and ignores any other difference.
  const { job, isNew } = await transfers.imports.add(draft, { TableName: table.tableName })
  if (!isNew) return { ImportTableDescription: describeImportJob(job, transfers.progressOf(job.id)) }
  try {
    const { definition } = await catalog.create(scope, table.tableName, (ids) => ({
      ...table.withIds(ids),
      status: 'CREATING',
    }))
    const started: ImportJob = { ...job, tableUuid: definition.tableUuid }
    await transfers.imports.replace(started)
    transfers.startImport(started)
    return { ImportTableDescription: describeImportJob(started) }
  } catch (error) {
    await transfers.imports.remove(job)
    throw error
  }
}

function assertOptionsSuit({ InputFormat, InputFormatOptions }: ImportTableInput): void {
  if (InputFormatOptions?.Csv === undefined || InputFormat === 'CSV') return
  throw validationException(
    `Invalid Request: Unsupported InputFormatOptions for the given input format: ${InputFormat}.`,
  )
}

function jobOf(scope: Scope, input: ImportTableInput, tableName: string, id: string, nowMs: number): ImportJob {
  const { S3Bucket, S3BucketOwner, S3KeyPrefix } = input.S3BucketSource
  const csv = input.InputFormatOptions?.Csv
  return {
    id,
    accountId: scope.accountId,
    region: scope.region,
    tableName,
    tableUuid: '',
    status: 'IN_PROGRESS',
    startedAtMs: nowMs,
    bucket: S3Bucket,
    format: input.InputFormat,
    compression: input.InputCompressionType ?? 'NONE',
    table: input.TableCreationParameters,
    counts: noImportCounts,
    ...(input.ClientToken !== undefined && { clientToken: input.ClientToken }),
    ...(S3BucketOwner !== undefined && { bucketOwner: S3BucketOwner }),
    ...(S3KeyPrefix !== undefined && { prefix: S3KeyPrefix }),
    ...(csv !== undefined && { csv }),
  }
}
