/** How a mapping passes records on, with Lambda's defaults filled in. */
export interface MappingSettings {
  readonly batchSize: number
  readonly windowSeconds: number
  readonly parallelization: number
  /** -1: as long as there are records. */
  readonly retries: number
  readonly maximumAgeSeconds: number
  readonly bisects: boolean
  readonly tumblingSeconds: number
  readonly reportsFailures: boolean
  /** Patterns of EventBridge, as JSON. */
  readonly filters: readonly string[]
  /** The ARN of a function, or a URL. */
  readonly onFailure?: string | undefined
}

export const usualSettings: MappingSettings = {
  batchSize: 100,
  windowSeconds: 0,
  parallelization: 1,
  retries: -1,
  maximumAgeSeconds: -1,
  bisects: false,
  tumblingSeconds: 0,
  reportsFailures: false,
  filters: [],
}
