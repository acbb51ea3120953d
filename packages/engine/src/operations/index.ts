import { readInput } from '../api/read-input.ts'
import type { InputOf } from '../api/inputs.ts'
import type { Engine } from '../engine.ts'
import type { Scope } from '../scope.ts'
import { batchExecuteStatement } from './batch-execute-statement.ts'
import { batchGetItem } from './batch-get-item.ts'
import { batchWriteItem } from './batch-write-item.ts'
import { createBackup } from './create-backup.ts'
import { deleteBackup } from './delete-backup.ts'
import { describeBackup } from './describe-backup.ts'
import { describeContinuousBackups } from './describe-continuous-backups.ts'
import { describeTimeToLive } from './describe-time-to-live.ts'
import { listBackups } from './list-backups.ts'
import { restoreTableFromBackup } from './restore-table-from-backup.ts'
import { restoreTableToPointInTime } from './restore-table-to-point-in-time.ts'
import { updateContinuousBackups } from './update-continuous-backups.ts'
import { updateTimeToLive } from './update-time-to-live.ts'
import { createTable } from './create-table.ts'
import { deleteTable } from './delete-table.ts'
import { describeEndpoints } from './describe-endpoints.ts'
import { describeLimits } from './describe-limits.ts'
import { describeExport } from './describe-export.ts'
import { describeImport } from './describe-import.ts'
import { exportTableToPointInTime } from './export-table-to-point-in-time.ts'
import { importTable } from './import-table.ts'
import { listExports } from './list-exports.ts'
import { listImports } from './list-imports.ts'
import { describeTable } from './describe-table.ts'
import { listTables } from './list-tables.ts'
import { listTagsOfResource } from './list-tags-of-resource.ts'
import { tagResource } from './tag-resource.ts'
import { untagResource } from './untag-resource.ts'
import { updateTable } from './update-table.ts'
import { deleteItem } from './delete-item.ts'
import { describeStream } from './describe-stream.ts'
import { executeStatement } from './execute-statement.ts'
import { executeTransaction } from './execute-transaction.ts'
import { getItem } from './get-item.ts'
import { getRecords } from './get-records.ts'
import { getShardIterator } from './get-shard-iterator.ts'
import { listStreams } from './list-streams.ts'
import { putItem } from './put-item.ts'
import { query } from './query.ts'
import { scan } from './scan.ts'
import { transactGetItems } from './transact-get-items.ts'
import { transactWriteItems } from './transact-write-items.ts'
import { updateItem } from './update-item.ts'

type Run = (engine: Engine, scope: Scope, body: unknown) => Promise<unknown>

/** Every operation of the API, by name, behind the checks of its input. */
export const operations: ReadonlyMap<string, Run> = new Map([
  operation('BatchExecuteStatement', batchExecuteStatement),
  operation('BatchGetItem', batchGetItem),
  operation('BatchWriteItem', batchWriteItem),
  operation('CreateBackup', createBackup),
  operation('CreateTable', createTable),
  operation('DeleteBackup', deleteBackup),
  operation('DeleteTable', deleteTable),
  operation('DescribeBackup', describeBackup),
  operation('DescribeContinuousBackups', describeContinuousBackups),
  operation('DescribeEndpoints', describeEndpoints),
  operation('DescribeLimits', describeLimits),
  operation('DescribeStream', describeStream),
  operation('DescribeExport', describeExport),
  operation('DescribeImport', describeImport),
  operation('ExportTableToPointInTime', exportTableToPointInTime),
  operation('ImportTable', importTable),
  operation('ListExports', listExports),
  operation('ListImports', listImports),
  operation('DescribeTable', describeTable),
  operation('DescribeTimeToLive', describeTimeToLive),
  operation('GetRecords', getRecords),
  operation('GetShardIterator', getShardIterator),
  operation('ListStreams', listStreams),
  operation('ListBackups', listBackups),
  operation('ListTables', listTables),
  operation('ListTagsOfResource', listTagsOfResource),
  operation('RestoreTableFromBackup', restoreTableFromBackup),
  operation('RestoreTableToPointInTime', restoreTableToPointInTime),
  operation('TagResource', tagResource),
  operation('UntagResource', untagResource),
  operation('UpdateContinuousBackups', updateContinuousBackups),
  operation('UpdateTable', updateTable),
  operation('UpdateTimeToLive', updateTimeToLive),
  operation('DeleteItem', deleteItem),
  operation('ExecuteStatement', executeStatement),
  operation('ExecuteTransaction', executeTransaction),
  operation('GetItem', getItem),
  operation('PutItem', putItem),
  operation('Query', query),
  operation('Scan', scan),
  operation('TransactGetItems', transactGetItems),
  operation('TransactWriteItems', transactWriteItems),
  operation('UpdateItem', updateItem),
])

function operation<Name extends string>(
  name: Name,
  run: (engine: Engine, scope: Scope, input: InputOf<Name>) => Promise<unknown>,
): [string, Run] {
  return [name, async (engine, scope, body) => run(engine, scope, readInput(name, body))]
}
