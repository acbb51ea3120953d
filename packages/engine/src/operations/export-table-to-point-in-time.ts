import { ServiceError } from '@hashrange/core'
import type { ExportTableToPointInTimeInput } from '../api/transfer-inputs.ts'
import type { Table } from '../catalog/table.ts'
import type { Engine } from '../engine.ts'
import type { Scope } from '../scope.ts'
import { readTableName } from '../tables/read-table-name.ts'
import { describeExportJob, type ExportDescription } from '../transfers/describe-export.ts'
import { readExport } from '../transfers/read-export.ts'
import { transferJobId } from '../transfers/transfer-job.ts'

export interface ExportTableToPointInTimeOutput {
  readonly ExportDescription: ExportDescription
}

export async function exportTableToPointInTime(
  engine: Engine,
  scope: Scope,
  input: ExportTableToPointInTimeInput,
): Promise<ExportTableToPointInTimeOutput> {
  const table = findExportedTable(engine, scope, input.TableArn)
  const nowMs = engine.clock.now()
  const draft = readExport(input, table, { id: transferJobId(nowMs, engine.randomness.uuid()), nowMs })
  const { job, isNew } = await engine.transfers.exports.add(draft, input)
  if (isNew) engine.transfers.startExport(job)
  return { ExportDescription: describeExportJob(job) }
}

function findExportedTable(engine: Engine, scope: Scope, arn: string): Table {
  const tableName = readTableName(scope, arn)
  const table = engine.catalog.find(scope, tableName)
  if (table === undefined) throw new ServiceError('TableNotFoundException', `Table not found: ${arn}`)
  return table
}
