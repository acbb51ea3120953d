import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb'
import type { Inputs, Operation, Outputs, Transport } from '../client/request-types.ts'

const throttled: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'ProvisionedThroughputExceeded',
  'ThrottlingError',
])
const longestPauseMs = 5000
/** Without an answer for so long, it is no use to go on. */
const patienceMs = 180_000
/** Requests are under way side by side: what throttles several of them at once is one reason to slow down. */
const cutEveryMs = 1000
const leastUnitsPerSecond = 5
/** It needs many units at once: as long as after five attempts. */
const transactionPause = 4

/** Keeps all requests together at a rate of capacity units. Whenever the service throttles them, the rate falls; while it does not,
 *  the rate rises again, so that it doubles in about 20 seconds. */
export class AdaptivePace {
  /** How often the service refused a request. */
  throttles = 0
  readonly #most: number
  readonly #beganMs = performance.now()
  #unitsPerSecond: number
  #spentUnits = 0
  #readyAtMs = 0
  #cutAtMs = -Infinity
  #answeredAtMs = performance.now()

  constructor(unitsPerSecond = Infinity) {
    this.#most = unitsPerSecond
    this.#unitsPerSecond = unitsPerSecond
  }

  get unitsPerSecond(): number {
    return this.#unitsPerSecond
  }

  get isHopeless(): boolean {
    return performance.now() - this.#answeredAtMs > patienceMs
  }

  /** Waits as long as these units take. */
  async spend(units: number): Promise<void> {
    const nowMs = performance.now()
    this.#answeredAtMs = nowMs
    this.#spentUnits += units
    if (this.#unitsPerSecond === Infinity) return
    this.#readyAtMs = Math.max(this.#readyAtMs, nowMs) + (units / this.#unitsPerSecond) * 1000
    this.#unitsPerSecond = Math.min(this.#most, this.#unitsPerSecond + units / 30)
    const waitMs = this.#readyAtMs - nowMs
    if (waitMs > 1) await pause(waitMs)
  }

  /** Without a rate of its own, it begins with a part of what was possible so far. */
  async slowDown(attempt: number): Promise<void> {
    this.throttles++
    const nowMs = performance.now()
    if (nowMs - this.#cutAtMs > cutEveryMs) {
      this.#cutAtMs = nowMs
      const sofar = this.#spentUnits / Math.max(1, (nowMs - this.#beganMs) / 1000)
      const present = this.#unitsPerSecond === Infinity ? Math.max(100, sofar) : this.#unitsPerSecond
      this.#unitsPerSecond = Math.max(Math.min(leastUnitsPerSecond, this.#most), present * 0.6)
    }
    await pause(Math.min(50 * 2 ** attempt, longestPauseMs) * (0.5 + Math.random() / 2))
  }
}

/** Sends requests at this pace, and those that were throttled again. A transaction is left to its sender, who may make it smaller. */
export function paced(transport: Transport, pace: AdaptivePace): Transport {
  return async <Op extends Operation>(
    operation: Op,
    input: Inputs[Op],
    signal: AbortSignal | undefined,
  ): Promise<Outputs[Op]> => {
    for (let attempt = 0; ; attempt++) {
      try {
        const output = await transport(operation, input, signal)
        await pace.spend(unitsOf(output.ConsumedCapacity))
        return output
      } catch (error) {
        if (!isThrottled(error) || pace.isHopeless) throw error
        const isTransaction = operation === 'TransactWriteItems'
        await pace.slowDown(isTransaction ? transactionPause : attempt)
        if (isTransaction) throw error
      }
    }
  }
}

export function isThrottled(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const reasons = (error as { CancellationReasons?: readonly { Code?: string }[] }).CancellationReasons ?? []
  return throttled.has(error.name) || reasons.some(({ Code }) => throttled.has(Code ?? ''))
}

function unitsOf(consumed: ConsumedCapacity | readonly ConsumedCapacity[] | undefined): number {
  if (consumed === undefined) return 0
  const all = Array.isArray(consumed) ? (consumed as readonly ConsumedCapacity[]) : [consumed as ConsumedCapacity]
  return all.reduce((total, { CapacityUnits = 0 }) => total + CapacityUnits, 0)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
