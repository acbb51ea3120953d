import { branchCounterKey, branchEntryKey } from '../layout/branch-keys.ts'
import type { BranchLayout } from '../layout/branch-layout.ts'
import { keyText } from '../store/key-text.ts'
import { addToCounters, decodeCounters } from '../store/counters.ts'
import { timeOfSequence } from '../store/sequence.ts'
import type { Key, Value, Write } from '../store/store.ts'
import { keptValue } from './branch-value.ts'
import type { ValueOf } from './transact-with-more.ts'

/** A branch for which changes of the data are kept. */
export interface KeptBranch {
  readonly id: number
  /** The sequence after which entries of logs are not the branch's; undefined for a moment after it was made. */
  readonly cut: bigint | undefined
}

/** The writes of a decision about the data, and those that leave every branch as it was. The old value of a key is
 *  inserted into each branch that has nothing of its own there. A counter of a branch goes back by as much as the
 *  counter of the data goes forward. */
export function writesWithKept(
  layout: BranchLayout,
  branches: readonly KeptBranch[],
  writes: readonly Write[],
  valueOf: ValueOf,
  isShared: boolean,
): readonly Write[] {
  const all: Write[] = []
  const counters = new Map<string, Value | undefined>()
  const keep = (key: Key): void => {
    if (!layout.isBranched(key)) return
    const sequence = layout.sequenceOf(key)
    const kept = keptValue(valueOf(key))
    for (const { id, cut } of branches) {
      if (sequence !== undefined && cut !== undefined && sequence > cut) continue
      all.push({ kind: 'insert', key: branchEntryKey(id, key), value: kept })
    }
  }
  const count = (key: Key, amounts: readonly number[]): void => {
    if (!layout.isBranched(key)) return
    const back = amounts.map((amount) => 0 - amount)
    for (const { id } of branches) all.push({ kind: 'add', key: branchCounterKey(id, key), amounts: back })
  }
  for (const write of writes) {
    if (write.kind === 'append') {
      all.push(isShared ? afterCuts(write, branches) : write)
      continue
    }
    all.push(write)
    if (!layout.isCounter(write.key)) {
      keep(write.key)
      continue
    }
    const name = keyText(write.key)
    const before = counters.has(name) ? counters.get(name) : valueOf(write.key)
    const amounts = write.kind === 'add' ? write.amounts : difference(valueAfter(write), before)
    counters.set(name, addToCounters(before, amounts))
    count(write.key, amounts)
  }
  return all
}

/** What a key has after a write that does not depend on what it had. */
function valueAfter(write: Write): Value | undefined {
  return write.kind === 'put' || write.kind === 'insert' ? write.value : undefined
}

/** What must be added to the counters `before` to make them `after`. */
export function difference(after: Value | undefined, before: Value | undefined): readonly number[] {
  const [to, from] = [decodeCounters(after), decodeCounters(before)]
  return Array.from(
    { length: Math.max(to.length, from.length) },
    (_, index) => (to[index] ?? 0) - (from[index] ?? 0),
  )
}

type Append = Extract<Write, { kind: 'append' }>

/** A store that several servers share numbers each log for itself. The numbers must be above the moment of every branch. */
function afterCuts(write: Append, branches: readonly KeptBranch[]): Append {
  let { atMs } = write
  for (const { cut } of branches) {
    if (cut !== undefined && timeOfSequence(cut) >= atMs) atMs = timeOfSequence(cut) + 1
  }
  return atMs === write.atMs ? write : { ...write, atMs }
}
