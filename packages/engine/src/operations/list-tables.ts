import type { ListTablesInput } from '../api/table-inputs.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'

export interface ListTablesOutput {
  readonly TableNames: readonly string[]
  readonly LastEvaluatedTableName?: string
}

const defaultLimit = 100

export async function listTables(
  engine: EngineParts,
  scope: Scope,
  input: ListTablesInput,
): Promise<ListTablesOutput> {
  const start = input.ExclusiveStartTableName
  const names = engine.catalog.names(scope)
  if (names.length === 0) engine.reportMissing(scope)
  const rest = start === undefined ? names : names.filter((name) => name > start)
  const page = rest.slice(0, input.Limit ?? defaultLimit)
  const last = page.at(-1)
  return page.length === rest.length || last === undefined
    ? { TableNames: page }
    : { LastEvaluatedTableName: last, TableNames: page }
}
