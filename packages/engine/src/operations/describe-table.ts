import { countsOf } from '../catalog/counts.ts'
import type { DescribeTableInput } from '../api/table-inputs.ts'
import { grownDefinition } from '../capacity/grown-definition.ts'
import { tableNotFound } from '../catalog/catalog-errors.ts'
import type { Table } from '../catalog/table.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'
import { describeTable as describe, type TableCounts, type TableDescription } from '../tables/describe-table.ts'
import { readTableName } from '../tables/read-table-name.ts'

export interface DescribeTableOutput {
  readonly Table: TableDescription
}

export async function describeTable(
  engine: EngineParts,
  scope: Scope,
  input: DescribeTableInput,
): Promise<DescribeTableOutput> {
  const table = findAnyTable(engine, scope, input.TableName)
  const definition = grownDefinition(engine.capacity.meters, table.definition)
  return { Table: describe(definition, await tableCounts(engine, definition), engine.clock.now()) }
}

/** The table that an operation on tables names. A table that is being restored does not exist yet for most of them. */
export function findTable(engine: EngineParts, scope: Scope, nameOrArn: string): Table {
  const table = findAnyTable(engine, scope, nameOrArn)
  if (table.isRestoring) throw tableNotFound(table.name)
  return table
}

export function findAnyTable(engine: EngineParts, scope: Scope, nameOrArn: string): Table {
  const tableName = readTableName(scope, nameOrArn)
  const table = engine.catalog.find(scope, tableName)
  if (table === undefined) {
    engine.reportMissing(scope, tableName)
    throw tableNotFound(tableName)
  }
  return table
}

export async function tableCounts(engine: EngineParts, definition: TableDefinition): Promise<TableCounts> {
  const { tableId, localIndexes, globalIndexes } = definition
  const table = await countsOf(engine.store, tableId)
  const indexes = new Map<number, TableCounts['table']>()
  for (const { indexId } of [...localIndexes, ...globalIndexes])
    indexes.set(indexId, await countsOf(engine.store, indexId))
  return { table, indexes }
}
