import { inDialect } from '../api/dialect.ts'
import { readInput } from '../api/read-input.ts'
import type { InputOf } from '../api/inputs.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'
import type { MaybePromise } from '../store/store.ts'
import { batchGetItem } from './batch-get-item.ts'
import { batchWriteItem } from './batch-write-item.ts'
import { deleteItem, readDeleteItem } from './delete-item.ts'
import { getItem } from './get-item.ts'
import { putItem, readPutItem } from './put-item.ts'
import { query } from './query.ts'
import { scan } from './scan.ts'
import { transactGetItems } from './transact-get-items.ts'
import { transactWriteItems } from './transact-write-items.ts'
import { readUpdateItem, updateItem } from './update-item.ts'

/** What rejects a request immediately may throw synchronously. */
export type RunOperation = (engine: EngineParts, scope: Scope, body: unknown) => MaybePromise<unknown>

/** Every operation of the API, by name, behind the checks of its input. Operations on items are loaded at the start;
 *  the others when they are first called, so that a start does not wait for them. */
export const operations: ReadonlyMap<string, RunOperation> = new Map([
  later('BatchExecuteStatement', async () => (await import('./batch-execute-statement.ts')).batchExecuteStatement),
  read('BatchGetItem', batchGetItem),
  operation('BatchWriteItem', batchWriteItem),
  later('CreateBackup', async () => (await import('./create-backup.ts')).createBackup),
  later('CreateGlobalTable', async () => (await import('./create-global-table.ts')).createGlobalTable),
  later('CreateTable', async () => (await import('./create-table.ts')).createTable),
  later('DeleteBackup', async () => (await import('./delete-backup.ts')).deleteBackup),
  write('DeleteItem', readDeleteItem, deleteItem),
  later('DeleteResourcePolicy', async () => (await import('./delete-resource-policy.ts')).deleteResourcePolicy),
  later('DeleteTable', async () => (await import('./delete-table.ts')).deleteTable),
  later('DescribeBackup', async () => (await import('./describe-backup.ts')).describeBackup),
  later(
    'DescribeContinuousBackups',
    async () => (await import('./describe-continuous-backups.ts')).describeContinuousBackups,
  ),
  later('DescribeEndpoints', async () => (await import('./describe-endpoints.ts')).describeEndpoints),
  later('DescribeExport', async () => (await import('./describe-export.ts')).describeExport),
  later('DescribeImport', async () => (await import('./describe-import.ts')).describeImport),
  later('DescribeLimits', async () => (await import('./describe-limits.ts')).describeLimits),
  later('DescribeStream', async () => (await import('./describe-stream.ts')).describeStream),
  later('DescribeTable', async () => (await import('./describe-table.ts')).describeTable),
  later('DescribeTimeToLive', async () => (await import('./describe-time-to-live.ts')).describeTimeToLive),
  later('ExecuteStatement', async () => (await import('./execute-statement.ts')).executeStatement),
  later('ExecuteTransaction', async () => (await import('./execute-transaction.ts')).executeTransaction),
  later(
    'ExportTableToPointInTime',
    async () => (await import('./export-table-to-point-in-time.ts')).exportTableToPointInTime,
  ),
  operation('GetItem', getItem),
  later('GetRecords', async () => (await import('./get-records.ts')).getRecords),
  later('GetShardIterator', async () => (await import('./get-shard-iterator.ts')).getShardIterator),
  later('GetResourcePolicy', async () => (await import('./get-resource-policy.ts')).getResourcePolicy),
  later('ImportTable', async () => (await import('./import-table.ts')).importTable),
  later('ListBackups', async () => (await import('./list-backups.ts')).listBackups),
  later('ListExports', async () => (await import('./list-exports.ts')).listExports),
  later('ListImports', async () => (await import('./list-imports.ts')).listImports),
  later('ListStreams', async () => (await import('./list-streams.ts')).listStreams),
  later('DescribeGlobalTable', async () => (await import('./describe-global-table.ts')).describeGlobalTable),
  later('ListGlobalTables', async () => (await import('./list-global-tables.ts')).listGlobalTables),
  later('UpdateGlobalTable', async () => (await import('./update-global-table.ts')).updateGlobalTable),
  later('ListTables', async () => (await import('./list-tables.ts')).listTables),
  later('ListTagsOfResource', async () => (await import('./list-tags-of-resource.ts')).listTagsOfResource),
  write('PutItem', readPutItem, putItem),
  later('PutResourcePolicy', async () => (await import('./put-resource-policy.ts')).putResourcePolicy),
  read('Query', query),
  later(
    'RestoreTableFromBackup',
    async () => (await import('./restore-table-from-backup.ts')).restoreTableFromBackup,
  ),
  later(
    'RestoreTableToPointInTime',
    async () => (await import('./restore-table-to-point-in-time.ts')).restoreTableToPointInTime,
  ),
  operation('Scan', scan),
  later('SearchVectors', async () => (await import('./search-vectors.ts')).searchVectors),
  later('TagResource', async () => (await import('./tag-resource.ts')).tagResource),
  operation('TransactGetItems', transactGetItems),
  operation('TransactWriteItems', transactWriteItems),
  later('UntagResource', async () => (await import('./untag-resource.ts')).untagResource),
  later(
    'UpdateContinuousBackups',
    async () => (await import('./update-continuous-backups.ts')).updateContinuousBackups,
  ),
  write('UpdateItem', readUpdateItem, updateItem),
  later('UpdateTable', async () => (await import('./update-table.ts')).updateTable),
  later('UpdateTimeToLive', async () => (await import('./update-time-to-live.ts')).updateTimeToLive),
])

type Operation<Name extends string> = (
  engine: EngineParts,
  scope: Scope,
  input: InputOf<Name>,
) => MaybePromise<unknown>

function operation<Name extends string>(name: Name, run: Operation<Name>): [string, RunOperation] {
  return [name, (engine, scope, body) => run(engine, scope, readInput(name, body))]
}

/** An operation whose request is read separately from what it does, because the dialect affects its errors. */
function write<Name extends string, Request>(
  name: Name,
  readRequest: (input: InputOf<Name>) => Request,
  run: (engine: EngineParts, scope: Scope, request: Request) => Promise<unknown>,
): [string, RunOperation] {
  return [
    name,
    (engine, scope, body) => {
      let request: Request
      try {
        request = readRequest(readInput(name, body))
      } catch (refusal) {
        throw inDialect(engine.dialect, name, refusal, body)
      }
      return run(engine, scope, request)
    },
  ]
}

/** A read whose errors the dialect affects: it rejects requests immediately, before it waits for anything. */
function read<Name extends string>(name: Name, run: Operation<Name>): [string, RunOperation] {
  return [
    name,
    (engine, scope, body) => {
      try {
        return run(engine, scope, readInput(name, body))
      } catch (refusal) {
        throw inDialect(engine.dialect, name, refusal, body)
      }
    },
  ]
}

function later<Name extends string>(name: Name, load: () => Promise<Operation<Name>>): [string, RunOperation] {
  let loaded: Operation<Name> | undefined
  const loadAndRun = async (...request: Parameters<Operation<Name>>): Promise<unknown> => {
    loaded = await load()
    return loaded(...request)
  }
  return [name, (engine, scope, body) => (loaded ?? loadAndRun)(engine, scope, readInput(name, body))]
}
