import { invalidParameter } from '../api/invalid-parameter.ts'
import type { MappingInput } from '../api/inputs.ts'
import { PatternError } from '../patterns/pattern.ts'
import { readPattern } from '../patterns/read-pattern.ts'
import type { MappingSettings } from './mapping-settings.ts'

/** So many filters are allowed without asking AWS for more, and twice as many with. */
const mostFilters = 10

/** The settings that a request asks for, where it does not say otherwise those of `before`. */
export function readSettings(
  input: MappingInput,
  before: MappingSettings,
  whyNotCalled: (url: string) => string | undefined,
): MappingSettings {
  const onFailure = input.DestinationConfig?.OnFailure?.Destination
  const settings: MappingSettings = {
    batchSize: input.BatchSize ?? before.batchSize,
    windowSeconds: input.MaximumBatchingWindowInSeconds ?? before.windowSeconds,
    parallelization: input.ParallelizationFactor ?? before.parallelization,
    retries: input.MaximumRetryAttempts ?? before.retries,
    maximumAgeSeconds: readAge(input.MaximumRecordAgeInSeconds) ?? before.maximumAgeSeconds,
    bisects: input.BisectBatchOnFunctionError ?? before.bisects,
    tumblingSeconds: input.TumblingWindowInSeconds ?? before.tumblingSeconds,
    reportsFailures: input.FunctionResponseTypes?.includes('ReportBatchItemFailures') ?? before.reportsFailures,
    filters: readFilters(input) ?? before.filters,
    onFailure: input.DestinationConfig === undefined ? before.onFailure : readDestination(onFailure, whyNotCalled),
  }
  if (settings.tumblingSeconds > 0 && settings.parallelization > 1)
    throw invalidParameter('Tumbling windows are not supported with a parallelization factor greater than 1.')
  return settings
}

function readAge(seconds: number | undefined): number | undefined {
  if (seconds === undefined || seconds === -1 || seconds >= 60) return seconds
  throw invalidParameter(`MaximumRecordAgeInSeconds must be -1, or between 60 and 604800, but was ${seconds}.`)
}

function readFilters({ FilterCriteria }: MappingInput): readonly string[] | undefined {
  if (FilterCriteria === undefined) return undefined
  const patterns = (FilterCriteria.Filters ?? []).map(({ Pattern = '{}' }) => Pattern)
  if (patterns.length > mostFilters) throw invalidParameter(`There can be at most ${mostFilters} filters.`)
  for (const pattern of patterns) assertPattern(pattern)
  return patterns
}

function assertPattern(pattern: string): void {
  try {
    readPattern(pattern)
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    throw invalidParameter(`Invalid filter pattern definition. ${error.message}`)
  }
}

/** Lambda has queues, topics and buckets here. This server has none of them, but functions, and can call URLs. */
function readDestination(
  destination: string | undefined,
  whyNotCalled: (url: string) => string | undefined,
): string | undefined {
  if (destination === undefined || destination === '') return undefined
  if (/^arn:aws[a-z-]*:lambda:[a-z0-9-]+:\d{12}:function:[\w-]+$/.test(destination)) return destination
  if (/^https?:\/\//.test(destination) && URL.canParse(destination)) {
    const reason = whyNotCalled(destination)
    if (reason === undefined) return destination
    throw invalidParameter(reason)
  }
  throw invalidParameter(
    `The destination ${destination.slice(0, 300)} cannot be reached from here, because this server has no queues, topics or buckets. Name the ARN of a function, or the URL of an HTTP endpoint.`,
  )
}
