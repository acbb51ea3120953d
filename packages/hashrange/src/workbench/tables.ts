import type { Engine, Scope } from '@hashrange/engine'
import { toPlain } from '@hashrange/engine'
import { ServiceError } from '@hashrange/core'
import type { ApiHandler } from './api-handler.ts'
import { readScope } from './read-scope.ts'

/** What the list of tables shows of one: what the service says of it in three answers. */
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
  const ask = async (operation: string): Promise<Readonly<Record<string, unknown>>> => {
    return toPlain(await engine.execute(scope, 'DynamoDB_20120810', operation, { TableName })) as Record<
      string,
      unknown
    >
  }
  try {
    return {
      table: (await ask('DescribeTable'))['Table'],
      timeToLive: (await ask('DescribeTimeToLive'))['TimeToLiveDescription'],
      recovery: (await ask('DescribeContinuousBackups'))['ContinuousBackupsDescription'],
    }
  } catch (error) {
    // Deleted since its name was read.
    if (error instanceof ServiceError && /NotFound/.test(error.code)) return undefined
    throw error
  }
}
