import type { AttributeValue } from '@hashrange/core'
import type { KeyCount } from './heavy-hitters.ts'
import type { KeyRanking } from './metrics.ts'

export const keyRankings = [
  'reads',
  'writes',
  'throttledReads',
  'throttledWrites',
] as const satisfies readonly KeyRanking[]

/** How many keys of each ranking are kept per period. */
export const keysKept = 32

/** The most used keys in a period, most used first, by kind of use. */
export type RankedKeys = { readonly [ranking in KeyRanking]?: readonly KeyCount[] }

/** The result of `keysOf` for each ranking; those without keys are left out. */
export function rankedKeys(keysOf: (ranking: KeyRanking) => readonly KeyCount[]): RankedKeys {
  const ranked: { [ranking in KeyRanking]?: readonly KeyCount[] } = {}
  for (const ranking of keyRankings) {
    const keys = keysOf(ranking)
    if (keys.length > 0) ranked[ranking] = keys
  }
  return ranked
}

export function mergeRankings(left: RankedKeys, right: RankedKeys): RankedKeys {
  return rankedKeys((ranking) => mergeKeys(left[ranking] ?? [], right[ranking] ?? [], keysKept))
}

/** The keys of both, with counts added up, most used first. */
export function mergeKeys(
  left: readonly KeyCount[],
  right: readonly KeyCount[],
  limit: number,
): readonly KeyCount[] {
  if (right.length === 0) return left.slice(0, limit)
  const merged = new Map(left.map((key) => [key.hash, key]))
  for (const key of right) {
    const known = merged.get(key.hash)
    const amount = key.amount + (known?.amount ?? 0)
    const overestimate = key.overestimate + (known?.overestimate ?? 0)
    merged.set(key.hash, { ...key, amount, overestimate })
  }
  return [...merged.values()].toSorted((a, b) => b.amount - a.amount).slice(0, limit)
}

/** ON DISK. */
export type StoredRankings = { readonly [ranking in KeyRanking]?: readonly StoredKey[] }

type StoredKey = readonly [hash: number, amount: number, overestimate: number, ...values: readonly AttributeValue[]]

export function storedRankings(ranked: RankedKeys): StoredRankings {
  const stored: { [ranking in KeyRanking]?: readonly StoredKey[] } = {}
  for (const ranking of keyRankings) {
    const keys = ranked[ranking]
    if (keys !== undefined) stored[ranking] = keys.map(storedKey)
  }
  return stored
}

export function rankingsOf(stored: StoredRankings = {}): RankedKeys {
  return rankedKeys((ranking) =>
    (stored[ranking] ?? []).map(([hash, amount, overestimate, ...values]) => ({
      hash,
      amount,
      overestimate,
      values,
    })),
  )
}

function storedKey({ hash, amount, overestimate, values }: KeyCount): StoredKey {
  return [hash, amount, overestimate, ...values]
}
