import { batchGetFunction } from '../client/batch-get.ts'
import type { FoundMany } from '../client/batch-get.ts'
import type { Connection, Cost, Request } from '../client/connection.ts'
import { Meter } from '../client/connection.ts'
import type { EntityRuntime, PlainItem } from '../client/entity-runtime.ts'
import { decodeChecked } from '../client/get-function.ts'
import type { Found, GetCallOptions } from '../client/get-function.ts'
import { ModelError } from '../errors.ts'
import type { EntityForms } from './entity-forms.ts'

type Get = ((key: PlainItem, options?: GetCallOptions) => Promise<Found>) & {
  readonly explain: (key: PlainItem, options?: GetCallOptions) => readonly Request[]
}

/** Looks in the old place, and then in the new one. An item only ever goes from the old to the new, and the second read is
 *  consistent: one that is on its way is seen. */
export function firstFound(old: object, fresh: object): object {
  const [before, now] = [old as Get, fresh as Get]
  const call = async (key: PlainItem, options: GetCallOptions = {}): Promise<Found> => {
    const first = await before(key, options)
    if (first.item !== undefined) return first
    const second = await now(key, { ...options, consistent: true })
    return { item: second.item, cost: sum(first.cost, second.cost) }
  }
  const explain = (key: PlainItem, options: GetCallOptions = {}): readonly Request[] => [
    ...before.explain(key, options),
    ...now.explain(key, { ...options, consistent: true }),
  ]
  return Object.assign(call, { explain })
}

type KeysByEntity = Readonly<Record<string, readonly PlainItem[]>>
type BatchGet = ((keys: KeysByEntity, options?: GetCallOptions) => Promise<FoundMany>) & {
  readonly explain: (keys: KeysByEntity, options?: GetCallOptions) => readonly Request[]
}

/** Many items by their keys: what is not in the old place is asked for in the new one. */
export function mergedBatchGet(
  connection: Connection,
  entities: readonly EntityRuntime[],
  forms: ReadonlyMap<string, EntityForms>,
  isConsistent: boolean,
): object {
  const old = entities.map((entity) => forms.get(entity.name)?.old ?? entity)
  const before = batchGetFunction(connection, old, isConsistent) as BatchGet
  const now = batchGetFunction(connection, entities, true) as BatchGet
  const call = async (keys: KeysByEntity, options?: GetCallOptions): Promise<FoundMany> => {
    const first = await before(keys, options)
    const isMissing = (name: string, i: number): boolean => forms.has(name) && first.items[name]?.[i] === undefined
    const missing = Object.fromEntries(
      Object.entries(keys).map(([name, wanted]) => [name, wanted.filter((_, i) => isMissing(name, i))]),
    )
    if (Object.values(missing).every((wanted) => wanted.length === 0)) return first
    const second = await now(missing, { ...options, consistent: true })
    const items = Object.entries(first.items).map(([name, found]) => {
      const more = second.items[name]?.values()
      return [name, found.map((item, i) => (isMissing(name, i) ? more?.next().value : item))]
    })
    return { items: Object.fromEntries(items), cost: sum(first.cost, second.cost) }
  }
  return Object.assign(call, { explain: before.explain })
}

/** Items as they were at one moment, wherever they were. */
export function mergedTransactGet(
  connection: Connection,
  entities: readonly EntityRuntime[],
  forms: ReadonlyMap<string, EntityForms>,
): object {
  const requestOf = (keys: KeysByEntity): Extract<Request, { operation: 'TransactGetItems' }> => {
    const gets = entities.flatMap((entity) =>
      (keys[entity.name] ?? []).flatMap((key) =>
        placesOf(entity, forms, key).map((form) => ({
          Get: { TableName: form.tableName, Key: form.keyOf(key) },
        })),
      ),
    )
    if (gets.length === 0 || gets.length > 100) {
      throw new ModelError(
        'INVALID_VALUE',
        `A transaction can read 1 to 100 items, and both forms of an item count, so this one reads ${gets.length}. Use batchGet to read more.`,
      )
    }
    return {
      operation: 'TransactGetItems',
      input: { TransactItems: gets, ReturnConsumedCapacity: connection.capacity },
    }
  }
  const call = async (keys: KeysByEntity): Promise<FoundMany> => {
    const meter = new Meter()
    const { Responses = [] } = await connection.send('TransactGetItems', requestOf(keys).input, meter)
    let position = 0
    const items = entities.map((entity) => [
      entity.name,
      (keys[entity.name] ?? []).map((key) => {
        const found = placesOf(entity, forms, key).map((form) => {
          const stored = Responses[position++]?.Item
          return stored === undefined ? undefined : decodeChecked(form, stored)
        })
        return found.findLast((item) => item !== undefined)
      }),
    ])
    return { items: Object.fromEntries(items), cost: meter.cost() }
  }
  return Object.assign(call, { explain: (keys: KeysByEntity) => [requestOf(keys)] })
}

function placesOf(
  entity: EntityRuntime,
  forms: ReadonlyMap<string, EntityForms>,
  key: PlainItem,
): readonly EntityRuntime[] {
  const both = forms.get(entity.name)
  return both === undefined || both.isSamePlace(key) ? [entity] : [both.old, both.new]
}

function sum(a: Cost, b: Cost): Cost {
  return {
    requests: a.requests + b.requests,
    readUnits: a.readUnits + b.readUnits,
    writeUnits: a.writeUnits + b.writeUnits,
  }
}
