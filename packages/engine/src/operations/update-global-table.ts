import { ServiceError, validationException } from '@hashrange/core'
import type { UpdateGlobalTableInput } from '../api/global-table-inputs.ts'
import {
  describeGlobalTable,
  joinTables,
  partTables,
  requireGlobalTable,
  type GlobalTableDescription,
} from '../replication/legacy-global-tables.ts'
import { replicaIn } from '../replication/members.ts'
import type { Scope } from '../scope.ts'
import { invalidParameter } from '../tables/invalid-parameter.ts'
import type { EngineParts } from './engine-parts.ts'

/** Adds tables to a global table of version 2017.11.29, or removes them from it. */
export async function updateGlobalTable(
  engine: EngineParts,
  scope: Scope,
  input: UpdateGlobalTableInput,
): Promise<{ readonly GlobalTableDescription: GlobalTableDescription }> {
  const { GlobalTableName: name, ReplicaUpdates: updates } = input
  if (updates.length === 0) throw validationException('One or more parameter values were invalid')
  for (const { Create, Delete } of updates) {
    if (Create !== undefined && Delete !== undefined) {
      throw invalidParameter(
        'A ReplicaUpdate structure cannot contain both a create replica action and a delete replica action',
      )
    }
    if (Create === undefined && Delete === undefined) {
      throw validationException('One or more parameter values were invalid')
    }
  }
  let table = requireGlobalTable(engine.catalog, scope, name)
  for (const { Create, Delete } of updates) {
    const { definition } = table
    if (Create !== undefined) {
      if (replicaIn(definition, Create.RegionName) !== undefined) throw replicaExists(name, Create.RegionName)
      const regions = (definition.replication?.replicas ?? []).map(({ region }) => region)
      await joinTables(engine, scope, name, [...regions, Create.RegionName])
    }
    if (Delete !== undefined) {
      const { RegionName: region } = Delete
      if (replicaIn(definition, region) === undefined) throw replicaNotFound(name, region)
      await partTables(engine, table, region)
      if (region === definition.region && updates.length > 1)
        table = requireGlobalTable(engine.catalog, scope, name)
    }
  }
  return { GlobalTableDescription: describeGlobalTable(table, 'UPDATING') }
}

function replicaExists(name: string, region: string): ServiceError {
  return new ServiceError(
    'ReplicaAlreadyExistsException',
    `Failed to update global table with name: '${name}' because the replica in region: '${region}' already exists.`,
  )
}

function replicaNotFound(name: string, region: string): ServiceError {
  return new ServiceError(
    'ReplicaNotFoundException',
    `Failed to update global table with name: '${name}' because the replica in region: '${region}' does not exist.`,
  )
}
