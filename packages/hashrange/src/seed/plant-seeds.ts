import { canonicalNumber } from '@hashrange/core'
import { errorCode, tableKeys, writeItems, type DatabasePort, type TableKeys } from '@hashrange/transfer'
import { applyTables } from '../apply/apply-tables.ts'
import { tablesAlone } from '../apply/tables-alone.ts'
import { SeedError, type Seed, type SeedItem } from './seed.ts'
import { isFields } from './to-dynamodb-json.ts'
import { isUnfinished, markFinished, markUnfinished } from './unfinished-seeds.ts'

export interface Planting {
  /** Whether tables that have items are left alone. */
  readonly onlyEmpty: boolean
  readonly tell: (line: string) => void
}

/** Creates the tables that sources declare, where they are missing, and puts the items. Returns how many. */
export async function plantSeeds(port: DatabasePort, seeds: readonly Seed[], planting: Planting): Promise<number> {
  const { onlyEmpty, tell } = planting
  const known = new Set<string>()
  let count = 0
  for (const seed of seeds) {
    const { tableName, design, origin } = seed
    if (design !== undefined && (await keysOf(port, tableName)) === undefined)
      await applyTables(tablesAlone(port), { tables: [design] }, { mayReplace: () => false, tell })
    const table = await keysOf(port, tableName)
    if (table === undefined) {
      throw new SeedError(
        `${origin} has items for the table ${tableName}, which does not exist in ${port.name}. Create it first, for example with hashrange apply, or name another table with --table.`,
      )
    }
    // A second file for a table is not kept out by the first.
    if (onlyEmpty && !known.has(tableName)) {
      if (!(await isEmpty(port, tableName)) && !(await isUnfinished(port, tableName))) {
        tell(`  ${tableName}: left alone, because it has items`)
        continue
      }
      await markUnfinished(port, tableName)
    }
    known.add(tableName)
    const items = lastOfEachKey(seed, table)
    await writeItems(port, tableName, items).catch((error: unknown) => {
      if (!(error instanceof Error) || errorCode(error) !== 'ValidationException') throw error
      throw new SeedError(`The table ${tableName} rejected an item of ${origin}: ${error.message}`)
    })
    tell(`  ${tableName}: ${items.length} ${items.length === 1 ? 'item' : 'items'} from ${origin}`)
    count += items.length
  }
  if (onlyEmpty) for (const tableName of known) await markFinished(port, tableName)
  return count
}

async function keysOf(port: DatabasePort, tableName: string): Promise<TableKeys | undefined> {
  try {
    return await tableKeys(port, tableName)
  } catch (error) {
    if (errorCode(error) === 'ResourceNotFoundException') return undefined
    throw error
  }
}

async function isEmpty(port: DatabasePort, TableName: string): Promise<boolean> {
  const { Items } = await port.request('Scan', { TableName, Limit: 1 })
  return Array.isArray(Items) && Items.length === 0
}

/** A batch must not contain an item twice. */
function lastOfEachKey(seed: Seed, { names, types }: TableKeys) {
  const keyOf = (item: SeedItem): string => JSON.stringify(names.map((name) => sameForEqual(item[name])))
  return [...new Map(seed.items(types).map((item) => [keyOf(item), item])).values()]
}

/** 1 and 1.0 are the same key. */
function sameForEqual(value: unknown): unknown {
  const { N: number } = isFields(value) ? value : {}
  if (typeof number !== 'string') return value
  try {
    return { N: canonicalNumber(number) }
  } catch {
    // The table refuses it.
    return value
  }
}
