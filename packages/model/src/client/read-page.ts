import type { QueryCommandInput, ScanCommandInput } from '@aws-sdk/client-dynamodb'
import type { Connection, Meter } from './connection.ts'
import type { Position } from './cursor.ts'
import type { StoredItem } from './entity-runtime.ts'
import type { QueryPlan } from './query-plan.ts'

export interface StoredPage {
  readonly items: readonly StoredItem[]
  /** Where to continue; undefined after the last page. */
  readonly next: readonly Position[] | undefined
}

export interface PageRequest {
  readonly connection: Connection
  readonly meter: Meter
  readonly operation: 'Query' | 'Scan'
  readonly plan: QueryPlan
  readonly positions: readonly Position[]
  readonly limit: number | undefined
  readonly signal: AbortSignal | undefined
}

/** One page of a query of one partition, as the database cuts it. */
export async function readPage(request: PageRequest): Promise<StoredPage> {
  const { Items = [], LastEvaluatedKey } = await sendPart(request, 0, request.limit)
  return { items: Items, next: LastEvaluatedKey === undefined ? undefined : [LastEvaluatedKey] }
}

/** Sends the request of one shard. */
export async function sendPart(
  request: PageRequest,
  shard: number,
  limit: number | undefined,
): Promise<{ readonly Items?: StoredItem[] | undefined; readonly LastEvaluatedKey?: StoredItem | undefined }> {
  const input = partInput(request, shard, limit)
  const { connection, meter, signal } = request
  if (request.operation === 'Scan') return connection.send('Scan', input, meter, signal)
  return connection.send('Query', input, meter, signal)
}

export function partInput(
  { connection, plan, positions }: Pick<PageRequest, 'connection' | 'plan' | 'positions'>,
  shard: number,
  limit: number | undefined,
): QueryCommandInput & ScanCommandInput {
  const position = positions[shard]
  const input: QueryCommandInput & ScanCommandInput = {
    ...plan.inputs[shard],
    TableName: plan.inputs[shard]?.TableName,
    ReturnConsumedCapacity: connection.capacity,
  }
  if (limit !== undefined) input.Limit = limit
  if (typeof position === 'object') input.ExclusiveStartKey = { ...position, ...plan.partitions[shard] }
  return input
}
