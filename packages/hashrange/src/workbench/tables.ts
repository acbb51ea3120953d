import type { Engine, Scope } from '@hashrange/engine'
import { toPlain } from '@hashrange/engine'
import { ServiceError } from '@hashrange/core'
import type { ApiHandler } from './api-handler.ts'
import { readScope } from './read-scope.ts'

/** What the list of tables shows of one: what the service returns in three responses. */
export interface TableSummary {
  readonly table: unknown
  readonly timeToLive: unknown
  readonly recovery: unknown
}

/** `tables?account=…&region=…`: all tables in one answer, where a client of the service would ask three times for each. */
export const tables: ApiHandler = async ({ engine }, { query }): Promise<{ readonly tables: TableSummary[] }> => {
  const scope = readScope(query)
  const summaries: TableSummary[] = []
  for (const name of engine.catalog.names(scope)) {
    const summary = await summaryOf(engine, scope, name)
    if (summary !== undefined) summaries.push(summary)
  }
  return { tables: summaries }
}

async function summaryOf(engine: Engine, scope: Scope, TableName: string): Promise<TableSummary | undefined> {
  const ask = async (operation: string, member: string): Promise<unknown> => {
    try {
      const answer = await engine.execute(scope, 'DynamoDB_20120810', operation, { TableName })
      return (toPlain(answer) as Readonly<Record<string, unknown>>)[member]
    } catch (error) {
      // Deleted since its name was read; or being restored, which the service does not describe completely.
      if (error instanceof ServiceError && error.code.includes('NotFound')) return undefined
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
