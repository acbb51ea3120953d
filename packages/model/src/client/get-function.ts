import type { GetItemCommandInput } from '@aws-sdk/client-dynamodb'
import type { Connection, Cost, Request } from './connection.ts'
import { Meter } from './connection.ts'
import type { EntityRuntime, PlainItem, StoredItem } from './entity-runtime.ts'
import { Placeholders } from './placeholders.ts'
import { shown } from '../schema/value-errors.ts'

export interface GetOptions {
  readonly consistent?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

/** As it is called: the compiler knows what can be selected. */
export type GetCallOptions = GetOptions & { readonly select?: readonly string[] | undefined }

export interface Found {
  readonly item: PlainItem | undefined
  readonly cost: Cost
}

/** One item by its key: `db.Customer.get({ customerId })`, and patterns made with `p.get`. */
export function getFunction(connection: Connection, entity: EntityRuntime, isConsistent: boolean): object {
  const requestOf = (key: PlainItem, { consistent, select }: GetCallOptions): ReturnType<typeof getRequest> =>
    getRequest(connection, entity, entity.keyOf(key), consistent ?? isConsistent, select)
  const call = async (key: PlainItem, options: GetCallOptions = {}): Promise<Found> => {
    const meter = new Meter()
    const { input } = requestOf(key, options)
    const { Item } = await connection.send('GetItem', input, meter, options.signal)
    const only = options.select === undefined ? undefined : new Set(options.select)
    return { item: Item === undefined ? undefined : decodeChecked(entity, Item, only), cost: meter.cost() }
  }
  const explain = (key: PlainItem, options: GetCallOptions = {}): readonly Request[] => [requestOf(key, options)]
  return Object.assign(call, { explain })
}

export function getRequest(
  connection: Connection,
  entity: EntityRuntime,
  key: StoredItem,
  isConsistent: boolean,
  select?: readonly string[],
): Extract<Request, { operation: 'GetItem' }> {
  return {
    operation: 'GetItem',
    input: {
      TableName: entity.tableName,
      Key: key,
      ...(isConsistent && { ConsistentRead: true }),
      ...(select !== undefined && projectionOf(entity, select)),
      ReturnConsumedCapacity: connection.capacity,
    },
  }
}

/** What is selected, with what shows that the item is what it should be. */
function projectionOf(entity: EntityRuntime, select: readonly string[]): Partial<GetItemCommandInput> {
  const placeholders = new Placeholders()
  const { discriminator, discriminatorBefore = '', partitionKey, sortKey } = entity.table
  const own = [partitionKey.name, sortKey?.name ?? '', discriminator, discriminatorBefore]
  const names = [...own.filter((name) => name !== ''), ...select.flatMap((name) => entity.namesOnDisk(name))]
  const text = [...new Set(names)].map((name) => placeholders.field(name)).join(', ')
  return { ProjectionExpression: text, ...placeholders.members() }
}

/** The item, if it is what it should be. */
export function decodeChecked(
  entity: EntityRuntime,
  stored: StoredItem,
  only?: ReadonlySet<string>,
): PlainItem | undefined {
  const { discriminator, discriminatorBefore = discriminator, partitionKey } = entity.table
  const said = stored[discriminator]?.S ?? stored[discriminatorBefore]?.S
  if (said === entity.name || discriminator === '' || (said === undefined && discriminatorBefore === ''))
    return entity.decodeItem(stored, only)
  // The key is another entity's on purpose: there is no such item.
  if (said !== undefined && entity.described.sharesKeys === true) return undefined
  const fault = said === undefined ? `has no attribute ${discriminator}` : `says it is '${said}'`
  throw entity.error(
    'UNEXPECTED_ENTITY',
    `The item ${shown(stored[partitionKey.name]?.S ?? stored[partitionKey.name]?.N)} under a key of ${entity.name} ${fault}. ` +
      `It was not written by this library. Give it the attribute ${discriminator} = '${entity.name}', or another key.`,
  )
}
