import type { Dialect, EngineOptions } from '@hashrange/engine'

/** How closely a database imitates the service in capacity, consistency and wording, beyond what it always does. */
export interface CapacityOptions {
  /** What happens to requests beyond the capacity that the service would provide: `measure` counts what would have
   *  been throttled and throttles nothing, `enforce` throttles it as the service does, `off` does neither. */
  readonly throttling?: Throttling | undefined
  /** Whether eventually consistent reads, including those of global indexes, are `current` or delayed as on the
   *  service: `eventual`. */
  readonly consistency?: Consistency | undefined
  /** Within how many milliseconds such reads see a write; 1000 by default. */
  readonly consistencyLagMs?: number | undefined
  /** Another number gives other delays. */
  readonly consistencySeed?: number | undefined
  /** Which wording errors have: the service's current one, or the one it had until the summer of 2026: `2025`. */
  readonly dialect?: Dialect | undefined
}

const throttlings = ['measure', 'enforce', 'off'] as const
export type Throttling = (typeof throttlings)[number]

const consistencies = ['current', 'eventual'] as const
export type Consistency = (typeof consistencies)[number]

const dialects = ['2026', '2025'] as const satisfies readonly Dialect[]

/** A minute. The service is rarely a second behind, and what was replaced is kept in memory for that long. */
export const maxConsistencyLagMs = 60_000

export function isThrottling(word: string | undefined): word is Throttling | undefined {
  return word === undefined || (throttlings as readonly string[]).includes(word)
}

export function isConsistency(word: string | undefined): word is Consistency | undefined {
  return word === undefined || (consistencies as readonly string[]).includes(word)
}

export function isDialect(word: string | undefined): word is Dialect | undefined {
  return word === undefined || (dialects as readonly string[]).includes(word)
}

/** The options as the engine takes them. Mistakes are reported in a sentence. */
export function engineCapacityOptions(
  options: CapacityOptions,
): Pick<EngineOptions, 'throttling' | 'eventualConsistency' | 'dialect'> {
  const { throttling, consistency, consistencyLagMs: maxLagMs, consistencySeed: seed, dialect } = options
  if (!isThrottling(throttling))
    throw new Error(`throttling must be "measure", "enforce" or "off", not "${String(throttling)}".`)
  if (!isConsistency(consistency))
    throw new Error(`consistency must be "current" or "eventual", not "${String(consistency)}".`)
  if (maxLagMs !== undefined && !(maxLagMs >= 0 && maxLagMs <= maxConsistencyLagMs)) {
    throw new Error(`consistencyLagMs must be from 0 to ${maxConsistencyLagMs} milliseconds, not ${maxLagMs}.`)
  }
  if (!isDialect(dialect))
    throw new Error(`dialect must be "2026" or "2025", as a string, not ${JSON.stringify(dialect)}.`)
  return { throttling, dialect, eventualConsistency: consistency === 'eventual' ? { maxLagMs, seed } : undefined }
}
