import { ModelError } from '../../errors.ts'
import type { Connection, Request } from '../connection.ts'
import { Meter } from '../connection.ts'
import type { FoundMany } from '../batch-get.ts'
import type { EntityRuntime, PlainItem } from '../entity-runtime.ts'
import { decodeChecked } from '../get-function.ts'

type KeysByEntity = Readonly<Record<string, readonly PlainItem[]>>

/** Items by their keys, all as they were at one moment. */
export function transactGetFunction(connection: Connection, entities: readonly EntityRuntime[]): object {
  const call = async (keys: KeysByEntity): Promise<FoundMany> => {
    const meter = new Meter()
    const { input } = requestOf(connection, entities, keys)
    const { Responses = [] } = await connection.send('TransactGetItems', input, meter)
    let position = 0
    const items = entities.map((entity) => [
      entity.name,
      (keys[entity.name] ?? []).map(() => {
        const stored = Responses[position++]?.Item
        return stored === undefined ? undefined : decodeChecked(entity, stored)
      }),
    ])
    return { items: Object.fromEntries(items), cost: meter.cost() }
  }
  const explain = (keys: KeysByEntity): readonly Request[] => [requestOf(connection, entities, keys)]
  return Object.assign(call, { explain })
}

function requestOf(
  connection: Connection,
  entities: readonly EntityRuntime[],
  keys: KeysByEntity,
): Extract<Request, { operation: 'TransactGetItems' }> {
  const gets = entities.flatMap((entity) =>
    (keys[entity.name] ?? []).map((key) => ({ Get: { TableName: entity.tableName, Key: entity.keyOf(key) } })),
  )
  if (gets.length === 0 || gets.length > 100) {
    throw new ModelError(
      'INVALID_VALUE',
      `A transaction can read 1 to 100 items, not ${gets.length}. Use batchGet to read more.`,
    )
  }
  return {
    operation: 'TransactGetItems',
    input: { TransactItems: gets, ReturnConsumedCapacity: connection.capacity },
  }
}
