import { ServiceError, validationException } from '@hashrange/core'
import type { ExportTableToPointInTimeInput } from '../api/transfer-inputs.ts'
import type { Table } from '../catalog/table.ts'
import { assertFewCuts } from '../cuts/cut-definition.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'
import { invalidParameter } from '../tables/invalid-parameter.ts'
import { accessDenied } from '../tables/read-table-name.ts'
import { describeExportJob, type ExportDescription } from '../transfers/describe-export.ts'
import { readExport } from '../transfers/read-export.ts'
import { transferJobId } from '../transfers/transfer-job.ts'

export interface ExportTableToPointInTimeOutput {
  readonly ExportDescription: ExportDescription
}

export async function exportTableToPointInTime(
  engine: EngineParts,
  scope: Scope,
  input: ExportTableToPointInTimeInput,
): Promise<ExportTableToPointInTimeOutput> {
  assertWhole(input)
  const table = findExportedTable(engine, scope, input.TableArn)
  await engine.clock.refresh()
  const clock = engine.clock.look()
  const draft = readExport(input, table, clock, transferJobId(clock.nowMs, engine.randomness.uuid()))
  assertFewCuts(table.definition)
  const { job, isNew } = await engine.transfers.exports.add(draft, input)
  if (isNew) engine.transfers.startExport(job)
  return { ExportDescription: describeExportJob(job) }
}

/** Rejects contradictory parameters, whatever the table. */
function assertWhole(input: ExportTableToPointInTimeInput): void {
  const { ExportType, IncrementalExportSpecification: changes, S3SseAlgorithm, S3SseKmsKeyId } = input
  if (S3SseKmsKeyId !== undefined && S3SseAlgorithm !== 'KMS') {
    throw invalidRequest('KMS Key Id is not supported for this encryption type')
  }
  if (ExportType === 'INCREMENTAL_EXPORT') {
    if (changes === undefined) {
      throw invalidRequest(
        'Incremental Export Specification expected when export type is set as Incremental Export',
      )
    }
    if (changes.ExportFromTime === undefined) {
      throw invalidRequest('ExportFromTime must be provided in IncrementalExportSpecification')
    }
  } else if (changes !== undefined) {
    throw invalidRequest(
      ExportType === undefined
        ? 'Export Type expected to be Incremental Export when incremental export specification is provided'
        : 'When Export Type is Full Export , Incremental Export Specification should not be provided',
    )
  }
}

/** Here, unlike elsewhere, a table can only be named by its ARN, and one in another region simply does not exist. */
function findExportedTable(engine: EngineParts, scope: Scope, arn: string): Table {
  const [prefix, , service, region, accountId, resource = '', ...rest] = arn.split(':')
  if (prefix !== 'arn' || accountId === undefined) throw invalidParameter('tableArn is not a valid ARN')
  const [kind, tableName = '', ...parts] = resource.split('/')
  if (service !== 'dynamodb' || kind !== 'table' || tableName === '' || parts.length + rest.length > 0) {
    throw invalidRequest('Table ARN is invalid.')
  }
  if (accountId !== scope.accountId) throw accessDenied()
  const table = region === scope.region ? engine.catalog.find(scope, tableName) : undefined
  if (table === undefined) throw new ServiceError('TableNotFoundException', `Table not found: ${arn}`)
  return table
}

function invalidRequest(message: string): ServiceError {
  return validationException(`Invalid Request: ${message}`)
}
