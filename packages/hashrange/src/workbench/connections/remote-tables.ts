import { toPlain } from '@hashrange/engine'
import type { DeniedTable, TablesAnswer, TableSummary } from '../tables.ts'
import { RemoteError } from './forward.ts'
import type { Database } from './database-at.ts'

const target = 'DynamoDB_20120810'
/** More than this are named, and described when they are opened. */
const mostDescribed = 200
const atOnce = 8

/** All tables of another database. AWS allows ten questions a second about time to live and recovery: there, a table tells
 *  them when it is opened. */
export async function remoteTables(database: Database): Promise<TablesAnswer> {
  const names = await namesOf(database)
  const asked = names.slice(0, mostDescribed)
  const summaries: TableSummary[] = []
  const denied: DeniedTable[] = names.slice(mostDescribed).map((tableName) => ({
    tableName,
    message: 'Open it by its name to see more: there are too many tables to describe them all.',
  }))
  const workers = Array.from({ length: atOnce }, async () => {
    for (let name = asked.pop(); name !== undefined; name = asked.pop()) {
      const found = await summaryOf(database, name)
      if (found === undefined) continue
      if ('message' in found) denied.push(found)
      else summaries.push(found)
    }
  })
  await Promise.all(workers)
  const places = new Map(names.map((name, place) => [name, place]))
  const placeOf = ({ table }: TableSummary): number => places.get(String(memberOf(table, 'TableName'))) ?? 0
  return { tables: summaries.toSorted((a, b) => placeOf(a) - placeOf(b)), denied }
}

async function namesOf(database: Database): Promise<string[]> {
  const names: string[] = []
  let start: unknown
  do {
    const input = start === undefined ? {} : { ExclusiveStartTableName: start }
    const page = toPlain(await database.execute(target, 'ListTables', input))
    const found = memberOf(page, 'TableNames')
    names.push(...(Array.isArray(found) ? found.map(String) : []))
    start = memberOf(page, 'LastEvaluatedTableName')
  } while (start !== undefined && names.length < 10_000)
  return names
}

async function summaryOf(database: Database, TableName: string): Promise<TableSummary | DeniedTable | undefined> {
  const ask = async (operation: string, member: string): Promise<unknown> =>
    memberOf(toPlain(await database.execute(target, operation, { TableName })), member)
  const unlessRefused = async (operation: string, member: string): Promise<unknown> => {
    if (database.connection?.kind === 'aws') return {}
    // Not every server supports it.
    return ask(operation, member).catch(() => ({}))
  }
  try {
    return {
      table: await ask('DescribeTable', 'Table'),
      timeToLive: await unlessRefused('DescribeTimeToLive', 'TimeToLiveDescription'),
      recovery: await unlessRefused('DescribeContinuousBackups', 'ContinuousBackupsDescription'),
    }
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    // Deleted since its name was read.
    if (error.code === 'ResourceNotFoundException') return undefined
    return { tableName: TableName, message: error.message }
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}
