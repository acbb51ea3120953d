import type { SatelliteDescription } from '../description.ts'
import { keyText } from '../keys/key-text.ts'
import { isDetermined } from '../model/resolve-pattern.ts'
import { codecOf } from '../schema/codec.ts'
import type { Connection, Request } from './connection.ts'
import { Meter } from './connection.ts'
import type { EntityRuntime, PlainItem, StoredItem } from './entity-runtime.ts'
import type { Found, GetCallOptions } from './get-function.ts'
import { decodeChecked, getRequest } from './get-function.ts'
import { decodeSatellite } from './satellites.ts'

/** The owner of a guard or index item: first that item, then its owner. */
export function lookupFunction(
  connection: Connection,
  entity: EntityRuntime,
  satellite: SatelliteDescription,
  isConsistent: boolean,
): object {
  const first = (parameters: PlainItem, options?: GetCallOptions): SatelliteRequest =>
    satelliteRequest(connection, entity, satellite, parameters, options?.consistent ?? isConsistent)
  const call = async (parameters: PlainItem, options?: GetCallOptions): Promise<Found> => {
    const meter = new Meter()
    const stored = await sendFirst(connection, first(parameters, options), meter, options?.signal)
    if (stored === undefined) return { item: undefined, cost: meter.cost() }
    const key = entity.keyOf(decodeSatellite(entity, satellite, stored))
    const { input } = getRequest(connection, entity, key, options?.consistent ?? isConsistent, options?.select)
    const only = options?.select === undefined ? undefined : new Set(options.select)
    const { Item } = await connection.send('GetItem', input, meter, options?.signal)
    return { item: Item === undefined ? undefined : decodeChecked(entity, Item, only), cost: meter.cost() }
  }
  /** Only the first request: the second depends on its answer. */
  const explain = (parameters: PlainItem, options?: GetCallOptions): readonly Request[] => [
    first(parameters, options),
  ]
  return Object.assign(call, { explain })
}

type SatelliteRequest = Extract<Request, { operation: 'GetItem' | 'Query' }>

async function sendFirst(
  connection: Connection,
  request: SatelliteRequest,
  meter: Meter,
  signal: AbortSignal | undefined,
): Promise<StoredItem | undefined> {
  if (request.operation === 'GetItem') return (await connection.send('GetItem', request.input, meter, signal)).Item
  return (await connection.send('Query', request.input, meter, signal)).Items?.[0]
}

function satelliteRequest(
  connection: Connection,
  entity: EntityRuntime,
  satellite: SatelliteDescription,
  parameters: PlainItem,
  isConsistent: boolean,
): SatelliteRequest {
  const encoded: StoredItem = {}
  for (const [name, value] of Object.entries(parameters)) {
    const { definition } = entity.attribute(name)
    const isElement = name === satellite.each && definition.element !== undefined
    const stored =
      isElement && definition.element ? codecOf(definition.element).encode(value, name) : entity.encode(name, value)
    if (stored !== undefined) encoded[name] = stored
  }
  const { partition, sort } = satellite.key
  const valueOf = entity.valuesIn(encoded)
  const text = keyText(partition.parts, valueOf)
  if (text === undefined)
    throw entity.missing(satellite.attributes.find((name) => encoded[name] === undefined) ?? partition.text)
  if (isDetermined(satellite)) {
    const key: StoredItem = { [partition.attribute]: { S: text } }
    if (sort !== undefined) key[sort.attribute] = { S: keyText(sort.parts, valueOf) ?? '' }
    return getRequest(connection, entity, key, isConsistent)
  }
  const placeholders = entity.placeholders()
  return {
    operation: 'Query',
    input: {
      TableName: entity.tableName,
      KeyConditionExpression: placeholders.equals(partition.attribute, { S: text }),
      ...placeholders.members(),
      Limit: 1,
      ...(isConsistent && { ConsistentRead: true }),
      ReturnConsumedCapacity: connection.capacity,
    },
  }
}
