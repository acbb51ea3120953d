import type { TriggerOptions } from './trigger-options.ts'

interface SettableOptions extends Omit<TriggerOptions, 'name' | 'startingPosition'> {
  readonly onFailure?: string
}

/** Options as programs write them, in the names of Lambda's API. */
export function wireSettings(options: SettableOptions): object {
  return {
    BatchSize: options.batchSize,
    MaximumBatchingWindowInSeconds: options.maximumBatchingWindowInSeconds,
    ParallelizationFactor: options.parallelizationFactor,
    MaximumRetryAttempts: options.maximumRetryAttempts,
    MaximumRecordAgeInSeconds: options.maximumRecordAgeInSeconds,
    BisectBatchOnFunctionError: options.bisectBatchOnFunctionError,
    TumblingWindowInSeconds: options.tumblingWindowInSeconds,
    FunctionResponseTypes: options.reportBatchItemFailures === true ? ['ReportBatchItemFailures'] : undefined,
    FilterCriteria: options.filters && {
      Filters: options.filters.map((pattern) => ({ Pattern: JSON.stringify(pattern) })),
    },
    DestinationConfig:
      options.onFailure === undefined ? undefined : { OnFailure: { Destination: options.onFailure } },
  }
}
