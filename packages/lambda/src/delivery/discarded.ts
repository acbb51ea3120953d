import { functionArn } from '../functions/lambda-function.ts'
import { isKinesisArn } from '../sources/kinesis-source.ts'
import type { SourceRecord } from '../sources/shard-source.ts'
import type { DiscardReason } from './lane.ts'
import type { Mapping } from './mapping.ts'

/** Records that were given up. */
export interface Discarded {
  readonly mapping: Mapping
  readonly shardId: string
  readonly records: readonly SourceRecord[]
  readonly reason: DiscardReason
  /** How often the function was called with them. */
  readonly calls: number
  readonly requestId: string
  readonly nowMs: number
}

/** What a destination is told, as Lambda tells it: where the records are, not what is in them. */
export function describeDiscarded({
  mapping,
  shardId,
  records,
  reason,
  calls,
  requestId,
  nowMs,
}: Discarded): object {
  const [first] = records
  const last = records.at(-1)
  return {
    requestContext: {
      requestId,
      functionArn: functionArn(mapping.scope, mapping.functionName),
      condition: reason,
      approximateInvokeCount: calls,
    },
    ...(calls > 0 && {
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    }),
    version: '1.0',
    timestamp: new Date(nowMs).toISOString(),
    [isKinesisArn(mapping.source.arn) ? 'KinesisBatchInfo' : 'DDBStreamBatchInfo']: {
      shardId,
      startSequenceNumber: first?.sequenceNumber,
      endSequenceNumber: last?.sequenceNumber,
      approximateArrivalOfFirstRecord: timeOf(first),
      approximateArrivalOfLastRecord: timeOf(last),
      batchSize: records.length,
      streamArn: mapping.source.arn,
    },
  }
}

function timeOf(record: SourceRecord | undefined): string {
  return new Date(record?.atMs ?? 0).toISOString()
}
