import type { Scope } from '@hashrange/engine'
import { functionArn } from '../functions/lambda-function.ts'
import type { MappingRecord, ShardProgress } from './mapping-record.ts'

export type MappingState = 'Creating' | 'Enabled' | 'Disabled' | 'Updating' | 'Enabling' | 'Disabling' | 'Deleting'

/** `EventSourceMappingConfiguration` on the wire. */
export function describeMapping(
  scope: Scope,
  record: MappingRecord,
  progress: Iterable<ShardProgress>,
  state: MappingState = record.isEnabled ? 'Enabled' : 'Disabled',
): object {
  const { settings, uuid } = record
  return {
    UUID: uuid,
    EventSourceMappingArn: `arn:aws:lambda:${scope.region}:${scope.accountId}:event-source-mapping:${uuid}`,
    StartingPosition: record.startingPosition,
    ...(record.startingAtMs !== undefined && { StartingPositionTimestamp: new Date(record.startingAtMs) }),
    BatchSize: settings.batchSize,
    MaximumBatchingWindowInSeconds: settings.windowSeconds,
    ParallelizationFactor: settings.parallelization,
    EventSourceArn: record.sourceArn,
    ...(settings.filters.length > 0 && {
      FilterCriteria: { Filters: settings.filters.map((Pattern) => ({ Pattern })) },
    }),
    FunctionArn: functionArn(scope, record.functionName),
    LastModified: new Date(record.modifiedAtMs),
    LastProcessingResult: lastResult(progress),
    State: state,
    StateTransitionReason: 'User action',
    DestinationConfig: {
      OnFailure: settings.onFailure === undefined ? {} : { Destination: settings.onFailure },
    },
    MaximumRecordAgeInSeconds: settings.maximumAgeSeconds,
    BisectBatchOnFunctionError: settings.bisects,
    MaximumRetryAttempts: settings.retries,
    TumblingWindowInSeconds: settings.tumblingSeconds,
    FunctionResponseTypes: settings.reportsFailures ? ['ReportBatchItemFailures'] : [],
  }
}

/** The latest of what the consumers of its shards have noted. */
function lastResult(progress: Iterable<ShardProgress>): string {
  let last: ShardProgress | undefined
  for (const one of progress) {
    if (one.result !== undefined && (one.resultAtMs ?? 0) >= (last?.resultAtMs ?? 0)) last = one
  }
  return last?.result ?? 'No records processed'
}
