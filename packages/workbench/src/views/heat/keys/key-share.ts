import type { Side, TopKey, TopKeys } from '../../../answers/heat.ts'

/** Units a second. */
export const partitionLimit = { read: 3_000, write: 1_000 } as const

/** The part of everything that was used which a key has. Counts of keys are estimates, and may be a little too high. */
export function shareOf({ amount }: TopKey, keys: TopKeys, side: Side): number {
  const all = side === 'read' ? keys.readUnits : keys.writeUnits
  return all <= 0 ? 0 : Math.min(1, amount / all)
}
