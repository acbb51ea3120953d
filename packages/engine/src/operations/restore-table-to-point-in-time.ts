import { ServiceError, validationException } from '@hashrange/core'
import type { RestoreTableToPointInTimeInput } from '../api/backup-inputs.ts'
import { assertEncryptsAbroad, assertTargetFree, beginRestore } from '../background/begin-restore.ts'
import { backedUpTableNotFound } from '../backups/find-backed-up-table.ts'
import { recoveryWindow, restorableAt } from '../backups/recovery-window.ts'
import { invalidRequest } from '../backups/restored-definition.ts'
import { assertFewCuts } from '../cuts/cut-definition.ts'
import { tableArn } from '../definitions/table-arn.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'
import type { TableDescription } from '../tables/describe-table.ts'

export interface RestoreTableToPointInTimeOutput {
  readonly TableDescription: TableDescription
}

/** The restored table has the items of that point in time, and the keys, indexes and settings that its source has
 *  now. */
export async function restoreTableToPointInTime(
  engine: EngineParts,
  scope: Scope,
  input: RestoreTableToPointInTimeInput,
): Promise<RestoreTableToPointInTimeOutput> {
  const named = readSource(scope, input)
  assertOneTime(input)
  assertEncryptsAbroad(scope, named.region, input)
  await engine.clock.refresh()
  const source = findSource(engine, { ...scope, region: named.region }, named.tableName)
  const { atMs, steadyMs } = restoreTime(engine, source, input)
  assertTargetFree(engine, scope, input.TargetTableName)
  assertFewCuts(source)
  const description = await beginRestore(engine, scope, {
    tableName: input.TargetTableName,
    overrides: input,
    source,
    restore: (newId) => ({
      sourceTableArn: tableArn(source),
      atMs,
      source: { kind: 'table', tableId: source.tableId, undoId: newId(), steadyMs },
    }),
  })
  return { TableDescription: description }
}

function readSource(scope: Scope, input: RestoreTableToPointInTimeInput): { tableName: string; region: string } {
  const { SourceTableName: name, SourceTableArn: arn } = input
  if (name !== undefined && arn !== undefined) {
    throw invalidRequest('Must provide exactly one of: sourceTableArn, sourceTableName')
  }
  if (name !== undefined) return { tableName: name, region: scope.region }
  if (arn === undefined) {
    throw validationException("The parameter 'TableName' is required but was not present in the request")
  }
  const [, region, accountId, tableName] = /^arn:aws:dynamodb:([^:]+):(\d+):table\/([^/:]+)$/.exec(arn) ?? []
  if (region === undefined || tableName === undefined) throw invalidRequest('sourceTableArn is not a valid ARN')
  if (accountId !== scope.accountId) {
    throw validationException('This action is only supported by accounts that match the resource owner’s account.')
  }
  return { tableName, region }
}

function assertOneTime({
  RestoreDateTime: time,
  UseLatestRestorableTime: latest,
}: RestoreTableToPointInTimeInput): void {
  if (time !== undefined && latest === true) {
    throw invalidRequest(
      'Both RestoreDateTime and UseLatestRestorableTime cannot be set for point-in-time restore request. Please specify either RestoreDateTime time or UseLatestRestorableTime',
    )
  }
  if (time === undefined && latest !== true) {
    throw invalidRequest('Either one of RestoreDateTime or UseLatestRestorableTime must be specified, but not both')
  }
}

function findSource(engine: EngineParts, scope: Scope, tableName: string): TableDefinition {
  const table = engine.catalog.find(scope, tableName)
  if (table === undefined || table.isRestoring) throw backedUpTableNotFound(tableName)
  return table.definition
}

function restoreTime(
  engine: EngineParts,
  source: TableDefinition,
  input: RestoreTableToPointInTimeInput,
): { readonly atMs: number; readonly steadyMs: number } {
  if (source.recovery === undefined) {
    throw new ServiceError(
      'PointInTimeRecoveryUnavailableException',
      `Point in time recovery is not enabled for table '${source.tableName}'`,
    )
  }
  const clock = engine.clock.look()
  if (input.RestoreDateTime === undefined) return { atMs: clock.nowMs, steadyMs: clock.steadyMs }
  const atMs = Math.round(input.RestoreDateTime * 1000)
  return { atMs, steadyMs: restorableAt(recoveryWindow(source.recovery, clock), atMs, clock) }
}
