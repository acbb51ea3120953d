import { branchCounterKey, branchEntryKey } from '../layout/branch-keys.ts'
import type { BranchLayout } from '../layout/branch-layout.ts'
import { keyText } from '../store/key-text.ts'
import { encodeCounters } from '../store/counters.ts'
import type { Key, Value, Write } from '../store/store.ts'
import { combinedCounters, combinedValue } from './combined-value.ts'
import { writtenValue } from './branch-value.ts'
import { difference, type KeptBranch } from './kept-writes.ts'
import type { ValueOf } from './transact-with-more.ts'

/** The keys that must be read to know what a branch has under a key. */
export function keysBehind(layout: BranchLayout, branchId: number, key: Key): readonly Key[] {
  const own = layout.isCounter(key) ? branchCounterKey(branchId, key) : branchEntryKey(branchId, key)
  return layout.isBranched(key) ? [own, key] : [own]
}

/** What a branch has under a key. */
export function valueInBranch(
  layout: BranchLayout,
  { id, cut }: KeptBranch,
  key: Key,
  valueOf: ValueOf,
): Value | undefined {
  const isBranched = layout.isBranched(key)
  if (layout.isCounter(key)) {
    return combinedCounters(isBranched ? valueOf(key) : undefined, valueOf(branchCounterKey(id, key)))
  }
  const own = valueOf(branchEntryKey(id, key))
  return combinedValue(isBranched && isBeforeCut(layout, cut, key) ? valueOf(key) : undefined, own)
}

/** Whether a branch can see what the data has under the key: entries that logs got later are not the branch's. */
export function isBeforeCut(layout: BranchLayout, cut: bigint | undefined, key: Key): boolean {
  const sequence = cut === undefined ? undefined : layout.sequenceOf(key)
  return sequence === undefined || cut === undefined || sequence <= cut
}

/** The writes that a decision in a branch comes to. The data itself is not written. */
export function writesInBranch(
  layout: BranchLayout,
  branch: KeptBranch,
  writes: readonly Write[],
  valueOf: ValueOf,
): readonly Write[] {
  const { id } = branch
  /** Whether there is a value under a key that an earlier write of this decision is about. */
  const isThere = new Map<string, boolean>()
  const put = (key: Key, value: Value): Write => {
    isThere.set(keyText(key), true)
    return { kind: 'put', key: branchEntryKey(id, key), value: writtenValue(value) }
  }
  return writes.flatMap((write): Write | readonly Write[] => {
    if (write.kind === 'append') {
      return { ...write, log: branchEntryKey(id, write.log), value: writtenValue(write.value) }
    }
    const { key } = write
    if (write.kind === 'add') return { ...write, key: branchCounterKey(id, key) }
    if (layout.isCounter(key)) {
      const after = write.kind === 'delete' ? undefined : write.value
      const before = layout.isBranched(key) ? valueOf(key) : undefined
      const amounts = difference(after, before)
      return { kind: 'put', key: branchCounterKey(id, key), value: encodeCounters(amounts) }
    }
    switch (write.kind) {
      case 'put':
        return put(key, write.value)
      case 'insert': {
        const found = isThere.get(keyText(key)) ?? valueInBranch(layout, branch, key, valueOf) !== undefined
        return found ? [] : put(key, write.value)
      }
      case 'delete': {
        isThere.set(keyText(key), false)
        const mayShowThrough = layout.isBranched(key) && isBeforeCut(layout, branch.cut, key)
        return mayShowThrough
          ? { kind: 'put', key: branchEntryKey(id, key), value: writtenValue(undefined) }
          : { kind: 'delete', key: branchEntryKey(id, key) }
      }
    }
  })
}
