import { ModelError } from '../errors.ts'
import type { Connection, Cost, Request } from './connection.ts'
import { Meter } from './connection.ts'
import type { EntityRuntime, PlainItem, StoredItem } from './entity-runtime.ts'
import { numberText } from '../schema/exact-number.ts'
import { decodeChecked } from './get-function.ts'
import type { GetOptions } from './get-function.ts'

/** The service's limit for one BatchGetItem. */
const batchSize = 100

export interface FoundMany {
  readonly items: Readonly<Record<string, readonly (PlainItem | undefined)[]>>
  readonly cost: Cost
}

type KeysByEntity = Readonly<Record<string, readonly PlainItem[]>>

/** Many items by their keys: `db.cart({ Product: [...], Customer: [...] })`. Keys may repeat; what the service leaves
 *  unprocessed is requested again. */
export function batchGetFunction(
  connection: Connection,
  entities: readonly EntityRuntime[],
  isConsistent: boolean,
): object {
  const call = async (keys: KeysByEntity, options?: GetOptions): Promise<FoundMany> => {
    const meter = new Meter()
    const wanted = wantedKeys(entities, keys)
    const found = await readMany(connection, wanted, options?.consistent ?? isConsistent, meter, options?.signal)
    const items = entities.map((entity) => [
      entity.name,
      (keys[entity.name] ?? []).map((key) => {
        const stored = found.get(idOfKey(entity.tableName, entity.keyOf(key)))
        return stored === undefined ? undefined : decodeChecked(entity, stored)
      }),
    ])
    return { items: Object.fromEntries(items), cost: meter.cost() }
  }
  const explain = (keys: KeysByEntity, options?: GetOptions): readonly Request[] =>
    requests(connection, wantedKeys(entities, keys), options?.consistent ?? isConsistent)
  return Object.assign(call, { explain })
}

export interface WantedItem {
  readonly table: string
  readonly key: StoredItem
}

/** Those of the wanted items that exist, by the same ids (`idOfKey`). */
export async function readMany(
  connection: Connection,
  wanted: ReadonlyMap<string, WantedItem>,
  isConsistent: boolean,
  meter: Meter,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, StoredItem>> {
  const found = new Map<string, StoredItem>()
  await Promise.all(
    requests(connection, wanted, isConsistent).map((request) =>
      fetchAll(connection, request, wanted, found, meter, signal),
    ),
  )
  return found
}

/** Each key once: the service rejects duplicates. */
function wantedKeys(entities: readonly EntityRuntime[], keys: KeysByEntity): ReadonlyMap<string, WantedItem> {
  const wanted = new Map<string, WantedItem>()
  for (const entity of entities) {
    for (const input of keys[entity.name] ?? []) {
      const key = entity.keyOf(input)
      wanted.set(idOfKey(entity.tableName, key), { table: entity.tableName, key })
    }
  }
  return wanted
}

type BatchRequest = Extract<Request, { operation: 'BatchGetItem' }>
type RequestItems = NonNullable<BatchRequest['input']['RequestItems']>

function requests(
  connection: Connection,
  wanted: ReadonlyMap<string, WantedItem>,
  isConsistent: boolean,
): readonly BatchRequest[] {
  const all = [...wanted.values()]
  const made: BatchRequest[] = []
  for (let from = 0; from < all.length; from += batchSize) {
    // A table may be called "constructor".
    const tables = new Map<string, StoredItem[]>()
    for (const { table, key } of all.slice(from, from + batchSize)) {
      tables.set(table, [...(tables.get(table) ?? []), key])
    }
    const items: RequestItems = Object.fromEntries(
      [...tables].map(([table, Keys]) => [table, { Keys, ...(isConsistent && { ConsistentRead: true }) }]),
    )
    made.push({
      operation: 'BatchGetItem',
      input: { RequestItems: items, ReturnConsumedCapacity: connection.capacity },
    })
  }
  return made
}

async function fetchAll(
  connection: Connection,
  { input }: BatchRequest,
  wanted: ReadonlyMap<string, WantedItem>,
  found: Map<string, StoredItem>,
  meter: Meter,
  signal: AbortSignal | undefined,
): Promise<void> {
  let left = input.RequestItems
  for (let attempt = 0; left !== undefined && Object.keys(left).length > 0; attempt++) {
    // Each response returns something, so this many without an end mean the table cannot keep up.
    if (attempt > connection.maxAttempts + 3) {
      throw new ModelError(
        'UNPROCESSED',
        'The table is throttled and did not return all items of a batch. Retry later.',
      )
    }
    if (attempt > 0) await connection.pause(attempt)
    const { Responses = {}, UnprocessedKeys } = await connection.send(
      'BatchGetItem',
      { ...input, RequestItems: left },
      meter,
      signal,
    )
    for (const [table, items] of Object.entries(Responses)) {
      for (const item of items) found.set(idOfItem(table, item, wanted), item)
    }
    left = UnprocessedKeys
  }
}

/** The same for a key that was created here and one that came back, whose numbers may be written differently. */
export function idOfKey(table: string, key: StoredItem): string {
  return JSON.stringify([
    table,
    ...Object.values(key).map(({ S, N, B }) => S ?? (N === undefined ? B : numberText(N))),
  ])
}

/** A response does not say which key it is for; the item contains it. */
function idOfItem(table: string, item: StoredItem, wanted: ReadonlyMap<string, WantedItem>): string {
  for (const { table: name, key } of wanted.values()) {
    if (name !== table) continue
    return idOfKey(
      table,
      Object.fromEntries(Object.keys(key).map((attribute) => [attribute, item[attribute] ?? { S: '' }])),
    )
  }
  return ''
}
