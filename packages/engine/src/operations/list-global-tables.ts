import type { ListGlobalTablesInput } from '../api/global-table-inputs.ts'
import { legacyTables } from '../replication/legacy-global-tables.ts'
import type { Scope } from '../scope.ts'
import type { EngineParts } from './engine-parts.ts'

export interface ListGlobalTablesOutput {
  readonly GlobalTables: readonly {
    readonly GlobalTableName: string
    readonly ReplicationGroup: readonly { readonly RegionName: string }[]
  }[]
  readonly LastEvaluatedGlobalTableName?: string
}

const defaultLimit = 100

/** Only those of version 2017.11.29: the others are listed as the tables that they are. */
export function listGlobalTables(
  { catalog }: EngineParts,
  scope: Scope,
  input: ListGlobalTablesInput,
): ListGlobalTablesOutput {
  const { ExclusiveStartGlobalTableName: start, RegionName: wanted, Limit: limit = defaultLimit } = input
  const rest = legacyTables(catalog, scope)
    .filter(({ name }) => start === undefined || name > start)
    .map(({ name, definition }) => ({
      GlobalTableName: name,
      ReplicationGroup: (definition.replication?.replicas ?? []).map(({ region }) => ({ RegionName: region })),
    }))
    .filter(({ ReplicationGroup }) =>
      wanted === undefined ? true : ReplicationGroup.some(({ RegionName }) => RegionName === wanted),
    )
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  return last === undefined || page.length === rest.length
    ? { GlobalTables: page }
    : { GlobalTables: page, LastEvaluatedGlobalTableName: last.GlobalTableName }
}
