import type { Scope } from '@hashrange/engine'
import { toPlain } from '@hashrange/engine'
import { ServiceError } from '@hashrange/core'
import type { ApiHandler } from './api-handler.ts'
import { databaseAt } from './connections/database-at.ts'
import { remoteTables } from './connections/remote-tables.ts'
import type { Visitor } from './visitors/visitor.ts'

/** What the list of tables shows of one: what the service returns in three responses. Empty where it was denied. */
export interface TableSummary {
  readonly table: unknown
  readonly timeToLive: unknown
  readonly recovery: unknown
}

/** A table that whoever asks may not have described. */
export interface DeniedTable {
  readonly tableName: string
  readonly message: string
}

export interface TablesAnswer {
  readonly tables: readonly TableSummary[]
  readonly denied: readonly DeniedTable[]
}

/** `tables?account=…&region=…`: all tables in one answer, where a client of the service would ask three times for each. */
export const tables: ApiHandler = async (context, call): Promise<TablesAnswer> => {
  const { query, visitor } = call
  const database = databaseAt(context, call, query)
  if (database.connection !== undefined) return remoteTables(database)
  const { engine } = context
  const scope = visitor.scopeIn(query)
  visitor.assertMay(scope, target, 'ListTables', {})
  const summaries: TableSummary[] = []
  const denied: DeniedTable[] = []
  for (const tableName of engine.catalog.names(scope)) {
    try {
      const summary = await summaryOf(visitor, scope, tableName)
      if (summary !== undefined) summaries.push(summary)
    } catch (error) {
      if (!isDenial(error)) throw error
      denied.push({ tableName, message: error.message })
    }
  }
  return { tables: summaries, denied }
}

const target = 'DynamoDB_20120810'

async function summaryOf(visitor: Visitor, scope: Scope, TableName: string): Promise<TableSummary | undefined> {
  const ask = async (operation: string, member: string): Promise<unknown> => {
    try {
      const answer = await visitor.execute(scope, target, operation, { TableName })
      return (toPlain(answer) as Readonly<Record<string, unknown>>)[member]
    } catch (error) {
      // Deleted since its name was read; or being restored, which the service does not describe completely.
      if (error instanceof ServiceError && error.code.includes('NotFound')) return undefined
      if (isDenial(error) && operation !== 'DescribeTable') return undefined
      throw error
    }
  }
  const table = await ask('DescribeTable', 'Table')
  if (table === undefined) return undefined
  return {
    table,
    timeToLive: (await ask('DescribeTimeToLive', 'TimeToLiveDescription')) ?? {},
    recovery: (await ask('DescribeContinuousBackups', 'ContinuousBackupsDescription')) ?? {},
  }
}

function isDenial(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'AccessDeniedException'
}
