import { describe, expect, test } from 'vitest'
import { seedOfRun, Randomness } from '../../support/randomness.ts'
import { checkTransactions } from './check-transactions.ts'
import { isSerializable } from './is-serializable.ts'
import { simulateHistory, type Behaviour } from './simulate-history.ts'
import type { Transaction } from './transaction.ts'

const seed = seedOfRun()

test('what a correct store does is accepted', () => {
  for (let n = 0; n < 50; n++) {
    const random = new Randomness(seed + n)
    const history = simulateHistory({ random, transactions: 300, clients: 2 + (n % 9), behaviour: 'serial' })
    expect(checkTransactions(history), `HASHRANGE_SEED=${seed + n}`).toEqual([])
  }
})

test('a long history is checked in time and memory that grow with it', { timeout: 60_000 }, () => {
  const random = new Randomness(seed)
  const history = simulateHistory({ random, transactions: 50_000, clients: 20, behaviour: 'serial' })
  expect(checkTransactions(history), `HASHRANGE_SEED=${seed}`).toEqual([])
})

describe('a store is found out that has', () => {
  const faults: Record<Exclude<Behaviour, 'serial'>, readonly string[]> = {
    'snapshot isolation': ['G2 (write skew)'],
    'no conflict check': ['lost update'],
    'torn transactions': ['G-single (read skew)'],
    'stale reads': ['G-single (read skew) in real time'],
    'retries without tokens': ['duplicate elements'],
    'forgets after a crash': ['incompatible orders'],
    'refused and written': ['G1a (aborted read)'],
  }
  for (const [behaviour, kinds] of Object.entries(faults)) {
    test(behaviour, () => {
      const missing = new Set(kinds)
      // One history may have been lucky. A hundred are not.
      for (let n = 0; n < 100 && missing.size > 0; n++) {
        const random = new Randomness(seed + n)
        const history = simulateHistory({
          random,
          transactions: 2_000,
          clients: 8,
          behaviour: behaviour as Behaviour,
        })
        for (const { kind } of checkTransactions(history)) missing.delete(kind)
      }
      expect([...missing], `HASHRANGE_SEED=${seed}`).toEqual([])
    })
  }
})

test('small histories, right and wrong ones, are judged as by trying every order', { timeout: 60_000 }, () => {
  const counts = { right: 0, wrong: 0 }
  for (let n = 0; n < 1_500; n++) {
    const random = new Randomness(seed + n)
    const history = smallHistory(random)
    const isRight = isSerializable(history)
    counts[isRight ? 'right' : 'wrong']++
    const anomalies = checkTransactions(history)
    expect(anomalies.length === 0, `HASHRANGE_SEED=${seed + n}: ${JSON.stringify(history)}`).toBe(isRight)
  }
  expect(Math.min(counts.right, counts.wrong)).toBeGreaterThan(100)
})

/** Up to six transactions on two lists, and reads of any beginnings of what the lists hold in the end. Which outcomes these could have in
 *  truth is left to chance. */
function smallHistory(random: Randomness): readonly Transaction[] {
  const count = random.between(2, 6)
  let value = 1
  const drafts = Array.from({ length: count }, (_, id) => {
    const startedAtMs = random.between(0, 20)
    const outcome = random.oneOf(['committed', 'committed', 'committed', 'unknown', 'aborted'] as const)
    const keys = random.someOf(['x', 'y'], random.between(0, 2))
    const appends = keys.map((key) => ({ key, values: random.chance(0.2) ? [value++, value++] : [value++] }))
    const endedAtMs = outcome === 'unknown' ? Infinity : startedAtMs + random.between(0, 10)
    return { id, client: 'c', startedAtMs, endedAtMs, outcome, appends }
  })
  const finals = new Map(
    ['x', 'y'].map((key) => {
      const happened = drafts.filter(
        ({ outcome }) =>
          outcome === 'committed' || (outcome === 'unknown' && random.chance(0.5)) || random.chance(0.02),
      )
      const order = happened.toSorted((one, other) => one.startedAtMs - other.startedAtMs + random.between(-5, 5))
      return [key, order.flatMap(({ appends }) => appends.find((append) => append.key === key)?.values ?? [])]
    }),
  )
  const read = (key: string, length?: number): Transaction['reads'][number] => {
    const values = finals.get(key)?.slice(0, length) ?? []
    return random.chance(0.15) && length !== undefined ? { key, length: values.length } : { key, values }
  }
  const transactions = drafts.map((draft): Transaction => ({
    ...draft,
    reads:
      draft.outcome === 'unknown'
        ? []
        : random
            .someOf(['x', 'y'], random.between(0, 2))
            .map((key) => read(key, random.between(0, finals.get(key)?.length ?? 0))),
  }))
  const last = { client: 'last', startedAtMs: 100, endedAtMs: 101, outcome: 'committed', appends: [] } as const
  return [...transactions, { ...last, id: count, reads: [read('x'), read('y')] }]
}
