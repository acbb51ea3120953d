import { validationException } from '@hashrange/core'
import type { CreateTableInput } from '../api/table-inputs.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'
import { checkAccountQuota, unitsOfOthers } from '../tables/check-quotas.ts'
import { describeNewTable, type TableDescription } from '../tables/describe-table.ts'
import { readSizedPolicy } from '../tables/read-resource-policy.ts'
import { readTableDefinition } from '../tables/read-table-definition.ts'

export interface CreateTableOutput {
  readonly TableDescription: TableDescription
}

export async function createTable(
  engine: EngineParts,
  scope: Scope,
  input: CreateTableInput,
): Promise<CreateTableOutput> {
  const { clock, randomness } = engine
  const { ResourcePolicy: sent, GlobalTableSourceArn, ...rest } = input
  if (GlobalTableSourceArn !== undefined) {
    throw validationException(
      'Multi-account global tables (GlobalTableSourceArn) are not supported. Add a replica in the same account with UpdateTable and ReplicaUpdates.',
    )
  }
  const policy = sent === undefined ? {} : { ResourcePolicy: readSizedPolicy(engine, sent, 'table') }
  const context = { scope, nowMs: clock.now(), uuid: () => randomness.uuid() }
  const draft = readTableDefinition({ ...rest, ...policy }, context)
  checkAccountQuota(undefined, draft, unitsOfOthers(engine.catalog, scope), scope.region)
  const table = await engine.catalog.create(scope, draft.tableName, (ids) => draft.withIds(ids))
  engine.capacity.meters.of(table)
  return { TableDescription: describeNewTable(table.definition, input.WarmThroughput !== undefined) }
}
