import type { AttributeValue } from '@hashrange/core'
import type { HotKey, KeyRanking, ReportSource, Scope } from '@hashrange/engine'
import { byMinutes, inParts, type TimeRange } from './time-range.ts'

export type TopKeys = { readonly [ranking in KeyRanking]: readonly TopKey[] }

export interface TopKey {
  /** Of the partition key, in the order of its schema. */
  readonly values: readonly AttributeValue[]
  readonly text: string
  /** Units, or for throttles requests; at most `overestimate` too much. */
  readonly amount: number
  readonly overestimate: number
}

const keysShown = 12
/** So many of each part, so that a key that is never first but always there is not missed. */
const keysOfPart = 100

/** The keys that were used most in a time. */
export async function topKeysOf(
  { metrics }: ReportSource,
  scope: Scope,
  tableName: string,
  indexName: string | undefined,
  range: TimeRange,
): Promise<TopKeys> {
  const over = byMinutes(range)
  const top = async (ranking: KeyRanking): Promise<readonly TopKey[]> => {
    const keys = new Map<string, TopKey>()
    await inParts(over, async (fromMs, toMs) => {
      const request = { scope, tableName, indexName, fromMs, toMs, ranking, limit: keysOfPart }
      for (const key of await metrics.topKeys(request)) {
        const name = JSON.stringify(key.values)
        keys.set(name, together(keys.get(name), key))
      }
    })
    return [...keys.values()].toSorted((a, b) => b.amount - a.amount).slice(0, keysShown)
  }
  return {
    reads: await top('reads'),
    writes: await top('writes'),
    throttledReads: await top('throttledReads'),
    throttledWrites: await top('throttledWrites'),
  }
}

function together(known: TopKey | undefined, { values, text, amount, overestimate }: HotKey): TopKey {
  return {
    values,
    text,
    amount: amount + (known?.amount ?? 0),
    overestimate: overestimate + (known?.overestimate ?? 0),
  }
}
