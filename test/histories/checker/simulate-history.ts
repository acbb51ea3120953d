import type { Randomness } from '../../support/randomness.ts'
import type { Transaction } from './transaction.ts'

/** How a store may be wrong. `serial` is right. */
export type Behaviour =
  | 'serial'
  /** Reads are of the moment the transaction began; who appends to what another has appended to since is refused. */
  | 'snapshot isolation'
  /** As before, but nobody is refused. */
  | 'no conflict check'
  /** A transaction's appends happen one after the other. */
  | 'torn transactions'
  /** Reads are sometimes of an earlier moment. */
  | 'stale reads'
  /** What had no answer is sent again, and happens again. */
  | 'retries without tokens'
  /** Once, the last appends vanish. */
  | 'forgets after a crash'
  /** Refused transactions leave something behind. */
  | 'refused and written'

export interface Simulation {
  readonly random: Randomness
  readonly transactions: number
  readonly clients: number
  readonly behaviour: Behaviour
}

/** What clients would have seen of a store, with transactions that overlap and answers that get lost. All lists are read in the end. */
export function simulateHistory({ random, transactions, clients, behaviour }: Simulation): readonly Transaction[] {
  const history: Transaction[] = []
  const lists = new Map<string, number[]>()
  const ends = new Map<string, number[]>()
  const touched = new Set<string>()
  const running: (Running | undefined)[] = Array.from({ length: clients }, () => undefined)
  let nowMs = 0
  let nextValue = 1
  let hasCrashed = false

  const listOf = (key: string): number[] => {
    const list = lists.get(key) ?? []
    lists.set(key, list)
    return list
  }
  /** Where appends to a list have ended. */
  const endsOf = (key: string): number[] => {
    const known = ends.get(key) ?? [0]
    ends.set(key, known)
    return known
  }
  const begin = (client: number): Running => {
    // Lists grow for a while, then others take their place.
    const generation = Math.floor(history.length / 100)
    const keys = [0, 1, 2, 3].map((n) => `k${generation}-${n}`)
    for (const key of keys) touched.add(key)
    const appends = random.chance(0.6)
      ? random.someOf(keys, random.between(1, 3)).map((key) => ({
          key,
          values: Array.from({ length: random.between(1, 2) }, () => nextValue++),
        }))
      : []
    const readKeys = random.chance(0.6) || appends.length === 0 ? random.someOf(keys, random.between(1, 3)) : []
    return {
      client,
      appends,
      readKeys,
      startedAtMs: nowMs,
      lengths: new Map(keys.map((key) => [key, listOf(key).length])),
      reads: [],
      left: appends.flatMap(({ key, values }) => ({ key, values })),
      step: 'decide',
      outcome: 'committed',
    }
  }
  const seen = (key: string, length: number): Transaction['reads'][number] =>
    random.chance(0.15) && behaviour === 'serial' ? { key, length } : { key, values: listOf(key).slice(0, length) }

  const decide = (one: Running): void => {
    const isSnapshot = behaviour === 'snapshot isolation' || behaviour === 'no conflict check'
    const isStale = behaviour === 'stale reads' && random.chance(0.05)
    one.reads = one.readKeys.map((key) => {
      const now = listOf(key).length
      const past = one.lengths.get(key) ?? 0
      return seen(key, isSnapshot ? past : isStale ? (endsOf(key).findLast((end) => end < past) ?? 0) : now)
    })
    const isConflict =
      behaviour === 'snapshot isolation' &&
      one.appends.some(({ key }) => listOf(key).length !== (one.lengths.get(key) ?? 0))
    one.outcome = isConflict || random.chance(0.05) ? 'aborted' : 'committed'
    if (one.outcome === 'aborted' && !(behaviour === 'refused and written' && random.chance(0.1))) one.left = []
    apply(one)
    // In truth it was refused or has happened; nobody knows.
    if (random.chance(0.05)) {
      one.outcome = 'unknown'
      one.reads = []
      if (behaviour === 'retries without tokens')
        for (const { key, values } of one.appends) listOf(key).push(...values)
    }
  }
  const apply = (one: Running): void => {
    const now = one.left.splice(0, behaviour === 'torn transactions' ? 1 : one.left.length)
    for (const { key, values } of now) endsOf(key).push(listOf(key).push(...values))
  }
  const finish = (one: Running): void => {
    const { client, startedAtMs, outcome, appends, reads } = one
    const endedAtMs = outcome === 'unknown' ? Infinity : nowMs
    history.push({ id: history.length, client: `c${client}`, startedAtMs, endedAtMs, outcome, appends, reads })
  }

  while (history.length < transactions) {
    nowMs += random.between(1, 10) / 10
    if (behaviour === 'forgets after a crash' && !hasCrashed && history.length > transactions / 2) {
      hasCrashed = true
      for (const [key, list] of lists) list.length = endsOf(key).findLast((end) => end < list.length) ?? 0
    }
    const client = random.between(0, clients - 1)
    const one = running[client]
    if (one === undefined) running[client] = begin(client)
    else if (one.step === 'decide') {
      decide(one)
      one.step = 'end'
    } else if (one.left.length > 0) apply(one)
    else {
      finish(one)
      running[client] = undefined
    }
  }
  // Those under way: nobody waits for their answers.
  for (const one of running) {
    if (one !== undefined) finish({ ...one, outcome: 'unknown', reads: [] })
  }
  nowMs += 10
  for (const key of touched) {
    const reads = [{ key, values: listOf(key).slice() }]
    history.push({
      id: history.length,
      client: 'last',
      startedAtMs: nowMs,
      endedAtMs: nowMs + 1,
      outcome: 'committed',
      appends: [],
      reads,
    })
  }
  return history
}

interface Running {
  readonly client: number
  readonly appends: Transaction['appends']
  readonly readKeys: readonly string[]
  readonly startedAtMs: number
  /** How long lists were when it began. */
  readonly lengths: ReadonlyMap<string, number>
  reads: Transaction['reads']
  /** Appends that have still to happen. */
  left: { readonly key: string; readonly values: readonly number[] }[]
  step: 'decide' | 'end'
  outcome: Transaction['outcome']
}
