export interface RoundResult {
  readonly requests: number
  readonly seconds: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Processor time of the calling process by wall time. Near 1, a load generator was the bottleneck. */
  readonly callerCpu: number
}
