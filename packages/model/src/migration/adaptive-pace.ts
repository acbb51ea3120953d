import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb'
import type { Inputs, Operation, Outputs, Transport } from '../client/request-types.ts'

const throttled: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'ProvisionedThroughputExceeded',
  'ThrottlingError',
])
const mostAttempts = 12
const longestPauseMs = 10_000

/** Keeps all requests together at a rate of capacity units. Whenever the service throttles one of them, the rate falls; while it
 *  does not, the rate rises again. */
export class AdaptivePace {
  /** How often the service refused a request. */
  throttles = 0
  readonly #most: number
  #unitsPerSecond: number
  #readyAtMs = 0

  constructor(unitsPerSecond = Infinity) {
    this.#most = unitsPerSecond
    this.#unitsPerSecond = unitsPerSecond
  }

  get unitsPerSecond(): number {
    return this.#unitsPerSecond
  }

  /** Waits as long as these units take. */
  async spend(units: number): Promise<void> {
    if (this.#unitsPerSecond === Infinity) return
    const nowMs = performance.now()
    this.#readyAtMs = Math.max(this.#readyAtMs, nowMs) + (units / this.#unitsPerSecond) * 1000
    this.#unitsPerSecond = Math.min(this.#most, this.#unitsPerSecond * (1 + units / 10_000))
    const waitMs = this.#readyAtMs - nowMs
    if (waitMs > 1) await pause(waitMs)
  }

  /** Without a rate of its own, half of what a small table offers is a beginning. */
  async slowDown(attempt: number): Promise<void> {
    this.throttles++
    this.#unitsPerSecond = Math.max(1, this.#unitsPerSecond === Infinity ? 500 : this.#unitsPerSecond / 2)
    await pause(Math.min(50 * 2 ** attempt, longestPauseMs) * (0.5 + Math.random() / 2))
  }
}

/** Sends requests at this pace, and those that were throttled again. */
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
        if (!isThrottled(error) || attempt >= mostAttempts) throw error
        await pace.slowDown(attempt)
      }
    }
  }
}

function isThrottled(error: unknown): boolean {
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
