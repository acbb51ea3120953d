import { isNoSqlWorkbench, noSqlWorkbenchSeeds } from './nosql-workbench-seeds.ts'
import { SeedError, type Seed } from './seed.ts'
import { isFields, toDynamoDbJson } from './to-dynamodb-json.ts'

/** The items of a JSON file: of one table (a list, or an item per line), of several (`{ "Orders": [ … ] }`, also in the
 *  form of BatchWriteItem), or the sample data of a NoSQL Workbench model. */
export function readJsonSeeds(file: string, text: string, tableName: string): readonly Seed[] {
  const document = parsed(text)
  if (document === undefined) return [seedOf(tableName, file, linesOf(file, text))]
  if (Array.isArray(document)) return [seedOf(tableName, file, document)]
  if (!isFields(document)) throw new SeedError(`${file} contains no items.`)
  if (isNoSqlWorkbench(document)) return noSqlWorkbenchSeeds(file, document)
  const tables = Object.entries(document)
  if (tables.length > 0 && tables.every(([, items]) => Array.isArray(items)))
    return tables.map(([name, items]) => seedOf(name, file, items as readonly unknown[]))
  return [seedOf(tableName, file, [document])]
}

function seedOf(tableName: string, file: string, entries: readonly unknown[]): Seed {
  const items = entries.map((entry, n) =>
    toDynamoDbJson(unwrapped(entry), `${file}: item ${n + 1} of ${tableName}`),
  )
  return { tableName, origin: file, items: () => items }
}

/** BatchWriteItem wraps each item. */
function unwrapped(entry: unknown): unknown {
  if (!isFields(entry) || Object.keys(entry).length !== 1) return entry
  const put = entry['PutRequest']
  return isFields(put) ? put['Item'] : entry
}

function linesOf(file: string, text: string): readonly unknown[] {
  return text.split('\n').flatMap((line, n) => {
    if (line.trim() === '') return []
    const item = parsed(line)
    if (item === undefined) throw new SeedError(`${file}, line ${n + 1}: this is not JSON.`)
    return [item]
  })
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}
