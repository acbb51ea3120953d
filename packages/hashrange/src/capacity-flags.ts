import {
  isConsistency,
  isDialect,
  isThrottling,
  maxConsistencyLagMs,
  type CapacityOptions,
} from './capacity-options.ts'

export const capacityFlags = {
  throttling: { type: 'string' },
  consistency: { type: 'string' },
  'consistency-lag': { type: 'string' },
  'consistency-seed': { type: 'string' },
  dialect: { type: 'string' },
} as const

type Values = { readonly [flag in keyof typeof capacityFlags]?: string | undefined }

/** The flags about capacity, consistency and wording, or what is wrong with them. `setting` reads the environment. */
export function readCapacityFlags(
  values: Values,
  setting: (name: string) => string | undefined,
): CapacityOptions | { readonly mistake: string } {
  const throttling = values.throttling ?? setting('HASHRANGE_THROTTLING')
  if (!isThrottling(throttling)) {
    return { mistake: `--throttling must be measure, enforce or off, not "${throttling}".` }
  }
  const lag = values['consistency-lag'] ?? setting('HASHRANGE_CONSISTENCY_LAG')
  if (lag !== undefined && (!/^\d{1,5}$/.test(lag) || Number(lag) > maxConsistencyLagMs)) {
    return {
      mistake: `--consistency-lag must be a number of milliseconds, at most ${maxConsistencyLagMs}, not "${lag}".`,
    }
  }
  const seed = values['consistency-seed'] ?? setting('HASHRANGE_CONSISTENCY_SEED')
  if (seed !== undefined && !/^\d{1,9}$/.test(seed)) {
    return { mistake: `--consistency-seed must be a whole number, not "${seed}".` }
  }
  const consistency = values.consistency ?? setting('HASHRANGE_CONSISTENCY')
  if (!isConsistency(consistency)) {
    return { mistake: `--consistency must be current or eventual, not "${consistency}".` }
  }
  const isTyped = values['consistency-lag'] !== undefined || values['consistency-seed'] !== undefined
  if (isTyped && consistency !== 'eventual') {
    return {
      mistake:
        '--consistency-lag and --consistency-seed only work with --consistency eventual. Add it, or remove them.',
    }
  }
  const dialect = values.dialect ?? setting('HASHRANGE_DIALECT')
  if (!isDialect(dialect)) return { mistake: `--dialect must be 2026 or 2025, not "${dialect}".` }
  return {
    throttling,
    dialect,
    consistency,
    consistencyLagMs: lag === undefined ? undefined : Number(lag),
    consistencySeed: seed === undefined ? undefined : Number(seed),
  }
}
