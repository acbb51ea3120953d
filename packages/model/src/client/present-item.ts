import type { Connection, Meter } from './connection.ts'
import type { EntityRuntime, StoredItem } from './entity-runtime.ts'
import type { Satellite } from './satellites.ts'
import { satellitesOf } from './satellites.ts'
import { isSameStored } from './stored-equal.ts'

/** What a write that depends on the present item has read: the item, and the guards and index items that belong to it. */
export interface Present {
  readonly item: StoredItem | undefined
  readonly satellites: ReadonlyMap<string, Satellite>
}

export const nothingPresent: Present = { item: undefined, satellites: new Map() }

/** Clocks differ: an item that expires this soon may have expired for someone else. */
const clockMarginMs = 15 * 60_000

export async function presentItem(
  connection: Connection,
  entity: EntityRuntime,
  key: StoredItem,
  meter: Meter,
): Promise<Present> {
  const item = await readConsistently(connection, entity, key, meter)
  if (item === undefined) return nothingPresent
  const all = satellitesOf(entity, item)
  const mayHaveExpired = hasExpired(entity, item, connection.context.now().getTime() + clockMarginMs)
  return { item, satellites: mayHaveExpired ? await stillOwned(connection, entity, all, meter) : all }
}

/** Whether an item, guard or index item counts as gone, though DynamoDB may take days to delete it. */
export function hasExpired({ ttlAttribute }: EntityRuntime, item: StoredItem, atMs: number): boolean {
  const expiry = ttlAttribute === undefined ? undefined : item[ttlAttribute]?.N
  return expiry !== undefined && Number(expiry) * 1000 <= atMs
}

/** The guards of an expired item count as free, so that some may have another owner by now. */
async function stillOwned(
  connection: Connection,
  entity: EntityRuntime,
  all: ReadonlyMap<string, Satellite>,
  meter: Meter,
): Promise<ReadonlyMap<string, Satellite>> {
  const checked = await Promise.all(
    [...all].map(async ([text, satellite]) => {
      const found = await readConsistently(connection, entity, satellite.key, meter)
      const isOwn =
        found === undefined || entity.primaryInputs.every((name) => isSameStored(found[name], satellite.item[name]))
      return isOwn ? [[text, satellite] as const] : []
    }),
  )
  return new Map(checked.flat())
}

async function readConsistently(
  connection: Connection,
  entity: EntityRuntime,
  key: StoredItem,
  meter: Meter,
): Promise<StoredItem | undefined> {
  const input = {
    TableName: entity.tableName,
    Key: key,
    ConsistentRead: true,
    ReturnConsumedCapacity: connection.capacity,
  }
  const { Item } = await connection.send('GetItem', input, meter)
  return Item && entity.fromStored(Item)
}
