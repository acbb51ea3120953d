import type { Connection, Cost, Request } from './connection.ts'
import { Meter } from './connection.ts'
import type { EntityRuntime, PlainItem, StoredItem } from './entity-runtime.ts'
import { executeWrite, explainWrite } from './execute-write.ts'
import { getFunction } from './get-function.ts'
import type { PlannedWrite } from './planned-writes.ts'
import { check, create, modify, put, remove, update, upsert } from './planned-writes.ts'
import type { WriteOptions } from './plan-update.ts'

type Change = (item: PlainItem) => PlainItem | undefined | Promise<PlainItem | undefined>

/** The writes of an entity as plans; transactions and single calls carry them out. */
export function plannedWrites(entity: EntityRuntime) {
  return {
    create: (item: PlainItem) => create(entity, item),
    put: (item: PlainItem, options: WriteOptions = {}) => put(entity, item, options),
    update: (key: PlainItem, changes: PlainItem, options: WriteOptions = {}) =>
      update(entity, key, changes, options),
    modify: (key: PlainItem, change: Change, options: WriteOptions = {}) => modify(entity, key, change, options),
    upsert: (item: PlainItem, changes?: PlainItem) => upsert(entity, item, changes),
    delete: (key: PlainItem, options: WriteOptions = {}) => remove(entity, key, options),
    check: (key: PlainItem, condition: object) => check(entity, key, condition),
  }
}

export type EntityWrites = ReturnType<typeof plannedWrites>

/** `db.Order`: what can be done with items of one entity. */
export function entityClient(
  connection: Connection,
  entity: EntityRuntime,
  writes: EntityWrites = plannedWrites(entity),
  get: object = getFunction(connection, entity, false),
): Readonly<Record<string, object>> {
  return {
    get,
    create: writeFunction(connection, writes.create),
    put: writeFunction(connection, writes.put),
    update: writeFunction(connection, writes.update),
    modify: writeFunction(connection, writes.modify),
    upsert: writeFunction(connection, writes.upsert),
    delete: writeFunction(connection, writes.delete),
  }
}

interface Written {
  readonly item: PlainItem | undefined
  readonly cost: Cost
}

function writeFunction(connection: Connection, plan: (...args: never[]) => PlannedWrite): object {
  const call = async (...args: never[]): Promise<Written> => {
    const meter = new Meter()
    const write = plan(...args)
    const stored: StoredItem | undefined = await executeWrite(connection, write, meter)
    return { item: stored === undefined ? undefined : write.entity.decodePossible(stored), cost: meter.cost() }
  }
  const explain = async (...args: never[]): Promise<readonly Request[]> => explainWrite(connection, plan(...args))
  return Object.assign(call, { explain })
}
