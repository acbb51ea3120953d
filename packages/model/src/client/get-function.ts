import { ModelError } from '../errors.ts'
import type { Connection, Cost, Request } from './connection.ts'
import { Meter } from './connection.ts'
import type { EntityRuntime, PlainItem, StoredItem } from './entity-runtime.ts'
import { shown } from '../schema/value-errors.ts'

export interface GetOptions {
  readonly consistent?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Found {
  readonly item: PlainItem | undefined
  readonly cost: Cost
}

/** One item by its key: `db.Customer.get({ customerId })`, and patterns made with `p.get`. */
export function getFunction(connection: Connection, entity: EntityRuntime, isConsistent: boolean): object {
  const call = async (key: PlainItem, options?: GetOptions): Promise<Found> => {
    const meter = new Meter()
    const { input } = getRequest(connection, entity, entity.keyOf(key), options?.consistent ?? isConsistent)
    const { Item } = await connection.send('GetItem', input, meter, options?.signal)
    return { item: Item === undefined ? undefined : decodeChecked(entity, Item), cost: meter.cost() }
  }
  const explain = (key: PlainItem, options?: GetOptions): readonly Request[] => [
    getRequest(connection, entity, entity.keyOf(key), options?.consistent ?? isConsistent),
  ]
  return Object.assign(call, { explain })
}

export function getRequest(
  connection: Connection,
  entity: EntityRuntime,
  key: StoredItem,
  isConsistent: boolean,
): Extract<Request, { operation: 'GetItem' }> {
  return {
    operation: 'GetItem',
    input: {
      TableName: entity.tableName,
      Key: key,
      ...(isConsistent && { ConsistentRead: true }),
      ReturnConsumedCapacity: connection.capacity,
    },
  }
}

/** The item, if it is what it should be. */
export function decodeChecked(entity: EntityRuntime, stored: StoredItem): PlainItem {
  const { discriminator, partitionKey } = entity.table
  const said = stored[discriminator]?.S
  if (said === entity.name || discriminator === '') return entity.decodeItem(stored)
  const fault = said === undefined ? `has no attribute ${discriminator}` : `says it is '${said}'`
  throw new ModelError(
    'UNEXPECTED_ENTITY',
    `The item ${shown(stored[partitionKey.name]?.S ?? stored[partitionKey.name]?.N)} under a key of ${entity.name} ${fault}. ` +
      `It was not written by this library. Give it the attribute ${discriminator} = '${entity.name}', or another key.`,
    { entity: entity.name },
  )
}
