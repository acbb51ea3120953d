import type { WriteRequest } from '@aws-sdk/client-dynamodb'
import { ModelError } from '../../errors.ts'
import type { Connection, Cost, Request } from '../connection.ts'
import { Meter } from '../connection.ts'
import type { EntityRuntime, PlainItem } from '../entity-runtime.ts'

/** The service's limit for one BatchWriteItem. */
const batchSize = 25

interface BatchStep {
  readonly table: string
  readonly request: WriteRequest
}

type Build = (b: Readonly<Record<string, object>>) => readonly BatchStep[]

/** `db.batchWrite((b) => [b.Line.put(…), b.Line.delete(…)])`: many independent writes in few requests; what the service
 *  leaves unprocessed is sent again. For entities without guards, index items and version, which need a transaction. */
export function batchWriteFunction(connection: Connection): object {
  const steps = Object.fromEntries(
    [...connection.entities].map(([name, entity]) => [name, batchSteps(connection, entity)]),
  )
  const call = async (build: Build): Promise<{ readonly cost: Cost }> => {
    const meter = new Meter()
    await Promise.all(requests(connection, build(steps)).map((request) => writeAll(connection, request, meter)))
    return { cost: meter.cost() }
  }
  const explain = (build: Build): readonly Request[] => requests(connection, build(steps))
  return Object.assign(call, { explain })
}

function batchSteps(connection: Connection, entity: EntityRuntime): object {
  const assertPlain = (): void => {
    if (entity.described.satellites.length === 0 && entity.versionAttribute === undefined) return
    throw entity.error(
      'NEEDS_TRANSACTION',
      `${entity.name} has unique constraints, index items or a version, which a batch cannot keep correct. Use transact, or single writes.`,
    )
  }
  return {
    put: (item: PlainItem): BatchStep => {
      assertPlain()
      return {
        table: entity.tableName,
        request: { PutRequest: { Item: entity.toStored(entity.encodeItem(item, connection.context)) } },
      }
    },
    delete: (key: PlainItem): BatchStep => {
      assertPlain()
      return { table: entity.tableName, request: { DeleteRequest: { Key: entity.keyOf(key) } } }
    },
  }
}

type BatchRequest = Extract<Request, { operation: 'BatchWriteItem' }>

function requests(connection: Connection, steps: readonly BatchStep[]): readonly BatchRequest[] {
  const made: BatchRequest[] = []
  for (let from = 0; from < steps.length; from += batchSize) {
    // A table may be called "constructor".
    const tables = new Map<string, WriteRequest[]>()
    for (const { table, request } of steps.slice(from, from + batchSize)) {
      tables.set(table, [...(tables.get(table) ?? []), request])
    }
    made.push({
      operation: 'BatchWriteItem',
      input: { RequestItems: Object.fromEntries(tables), ReturnConsumedCapacity: connection.capacity },
    })
  }
  return made
}

async function writeAll(connection: Connection, { input }: BatchRequest, meter: Meter): Promise<void> {
  let left = input.RequestItems
  for (let attempt = 0; left !== undefined && Object.keys(left).length > 0; attempt++) {
    if (attempt > connection.maxAttempts + 3) {
      throw new ModelError(
        'UNPROCESSED',
        'The table is throttled and did not accept all writes of a batch. Retry later.',
      )
    }
    if (attempt > 0) await connection.pause(attempt)
    const { UnprocessedItems } = await connection.send('BatchWriteItem', { ...input, RequestItems: left }, meter)
    left = UnprocessedItems
  }
}
