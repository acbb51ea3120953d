import { AppliedEffects, type Effect, type Value } from '@hashrange/engine'
import type { Dialect, Found } from '../reads/found.ts'
import type { Pending } from './group-commit.ts'
import { Rerouted } from './rerouted.ts'
import { assertFits, WriteSet } from './write-set.ts'

export interface DecidedGroup {
  readonly writes: WriteSet
  /** What to do once the writes are committed: each transaction gets its answer. */
  readonly settled: readonly (() => void)[]
  /** What is undone if they are not. */
  readonly effects: AppliedEffects
}

/** Runs the decisions of a group, in order: each sees the decisions before it. `found` contains what was read, for
 *  the keys of all transactions in a row. When they have much to write, the rest is left for another group. */
export function decideGroup(
  dialect: Dialect,
  group: readonly Pending[],
  found: readonly (Found | undefined)[],
): DecidedGroup {
  const writes = new WriteSet(dialect, homeOf(dialect, group))
  const settled: (() => void)[] = []
  const effects = new AppliedEffects()
  let from = 0
  for (const pending of group) {
    if (writes.bytes > largeBytes) break
    const { keys, names } = pending
    const own = found.slice(from, (from += keys.length))
    const settle = decideOne(dialect, writes, pending, own)
    // What depends only on what was read needs no commit. On several nodes it was read at several moments, and on one of
    // several it may have moved away before.
    const restsOnWrites =
      dialect.distributed ||
      dialect.node !== undefined ||
      settle.hasWrites ||
      names.some((name) => writes.has(name))
    if (!restsOnWrites) {
      settle.effect?.apply()
      settle.now()
      continue
    }
    names.forEach((name, position) => {
      const key = keys[position]
      if (key !== undefined) writes.mustHold(name, key, own[position])
    })
    if (settle.effect !== undefined) effects.apply(settle.effect)
    settled.push(settle.now)
  }
  return { writes, settled, effects }
}

/** On several nodes, all transactions of a group are at home in the same shard. */
export function homeOf({ placement }: Pick<Dialect, 'placement'>, group: readonly Pending[]): number {
  return placement.shardOf(group[0]?.keys[0] ?? noBytes)
}

const noBytes = Buffer.alloc(0)
const largeBytes = 4 * 2 ** 20

function decideOne(
  dialect: Dialect,
  writes: WriteSet,
  pending: Pending,
  found: readonly (Found | undefined)[],
): Decided {
  const { names, decide, resolve, reject } = pending
  const settle = (done: () => void) => (): void => {
    pending.isSettled = true
    done()
  }
  const values = names.map((name, position): Value | undefined => writes.valueOf(name, found[position]?.value))
  try {
    const decision = decide(values)
    if (dialect.node?.holds(decision.writes) === false) throw new Rerouted()
    assertFits(dialect.placement, decision.writes)
    writes.add(decision.writes)
    if (decision.writes.length > 0) pending.onlyRead = names.filter((name) => !writes.has(name))
    return {
      hasWrites: decision.writes.length > 0,
      effect: decision.effect,
      now: settle(() => resolve(decision.answer)),
    }
  } catch (error) {
    return { hasWrites: false, effect: undefined, now: settle(() => reject(error)) }
  }
}

interface Decided {
  readonly hasWrites: boolean
  readonly effect: Effect | undefined
  readonly now: () => void
}
