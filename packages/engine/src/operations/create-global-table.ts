import { ServiceError } from '@hashrange/core'
import type { CreateGlobalTableInput } from '../api/global-table-inputs.ts'
import {
  describeGlobalTable,
  joinTables,
  legacyTables,
  type GlobalTableDescription,
} from '../replication/legacy-global-tables.ts'
import type { Scope } from '../scope.ts'
import { invalidParameter } from '../tables/invalid-parameter.ts'
import type { EngineParts } from './engine-parts.ts'

/** Makes a global table of version 2017.11.29 out of tables that exist in the regions. */
export async function createGlobalTable(
  engine: EngineParts,
  scope: Scope,
  input: CreateGlobalTableInput,
): Promise<{ readonly GlobalTableDescription: GlobalTableDescription }> {
  const { GlobalTableName: name, ReplicationGroup: group } = input
  if (group.length === 0) throw invalidParameter('Global table must have atleast one replica')
  const regions = group.map(({ RegionName }) => {
    if (RegionName === undefined) throw invalidParameter('ReplicationGroup members must specify RegionName')
    return RegionName
  })
  const isTaken = [...engine.catalog.all()].some(
    ({ definition }) =>
      definition.tableName === name &&
      definition.accountId === scope.accountId &&
      regions.includes(definition.region) &&
      definition.replication !== undefined,
  )
  if (isTaken || legacyTables(engine.catalog, scope).some((table) => table.name === name)) {
    throw new ServiceError(
      'GlobalTableAlreadyExistsException',
      `Global table already exists: Global table with name: '${name}' already exists.`,
    )
  }
  const [table] = await joinTables(engine, scope, name, [...new Set(regions)])
  if (table === undefined) throw new Error('a global table has a replica')
  return { GlobalTableDescription: describeGlobalTable(table, 'CREATING') }
}
