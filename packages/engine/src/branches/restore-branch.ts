import { branchCounterKey, branchEntryKey, branchRanges, keyInBranch } from '../layout/branch-keys.ts'
import type { BranchLayout } from '../layout/branch-layout.ts'
import { above, following } from '../layout/key-bounds.ts'
import { decodeCounters } from '../store/counters.ts'
import { logEntryKey } from '../store/sequence.ts'
import type { Key, Range, Store, Value, Write } from '../store/store.ts'
import { readBranchValue } from './branch-value.ts'
import type { KeptBranch } from './kept-writes.ts'
import type { MainStore } from './main-store.ts'

export interface Restoring {
  readonly main: MainStore
  readonly layout: BranchLayout
  readonly branch: KeptBranch
}

/** Makes the data equal to a branch, in small transactions. Each brings some keys back and removes what was kept of them, so it
 *  can be interrupted anywhere and started again. Other branches keep what they see. */
export async function restoreBranch(restoring: Restoring): Promise<void> {
  const [entries, counters] = branchRanges(restoring.branch.id)
  await eachPage(restoring.main.underneath, entries, (keys) => restoreEntries(restoring, keys))
  await eachPage(restoring.main.underneath, counters, (keys) => restoreCounters(restoring, keys))
  await removeLaterEntries(restoring)
}

const entriesPerTransaction = 500
const bytesPerTransaction = 4 * 2 ** 20

async function eachPage(
  store: Store,
  range: Range | undefined,
  work: (keys: readonly Key[]) => Promise<void>,
): Promise<void> {
  for (let next = range; next !== undefined;) {
    const keys: Key[] = []
    let bytes = 0
    await store.view((snapshot) =>
      snapshot.range({ ...(next ?? noRange), limit: entriesPerTransaction }, (key, value) => {
        keys.push(key)
        bytes += value.length
        return keys.length < entriesPerTransaction && bytes < bytesPerTransaction
      }),
    )
    const last = keys.at(-1)
    if (last === undefined) return
    await work(keys)
    next = { ...next, from: following(last) }
  }
}

const noRange: Range = { from: Buffer.alloc(0), to: Buffer.alloc(0) }

async function restoreEntries({ main, layout, branch }: Restoring, keys: readonly Key[]): Promise<void> {
  const wanted = keys.filter((key) => layout.isRestored(keyInBranch(key)))
  await main.transactKeeping(
    wanted,
    (values) => ({
      writes: wanted.flatMap((key, index) => restoredEntry(branch.id, keyInBranch(key), values[index])),
      answer: undefined,
    }),
    branch.id,
  )
}

function restoredEntry(branchId: number, key: Key, stored: Value | undefined): readonly Write[] {
  if (stored === undefined) return []
  const { value } = readBranchValue(stored)
  return [
    value === undefined ? { kind: 'delete', key } : { kind: 'put', key, value },
    { kind: 'delete', key: branchEntryKey(branchId, key) },
  ]
}

async function restoreCounters({ main, layout, branch }: Restoring, keys: readonly Key[]): Promise<void> {
  const wanted = keys.filter((key) => layout.isRestored(keyInBranch(key)))
  await main.transactKeeping(
    wanted,
    (values) => ({
      writes: wanted.flatMap((key, index): readonly Write[] => [
        { kind: 'add', key: keyInBranch(key), amounts: decodeCounters(values[index]) },
        { kind: 'delete', key: branchCounterKey(branch.id, keyInBranch(key)) },
      ]),
      answer: undefined,
    }),
    branch.id,
  )
}

/** What logs got after the branch was made. Goes from one log to the next. */
async function removeLaterEntries({ main, layout, branch }: Restoring): Promise<void> {
  const { cut } = branch
  if (cut === undefined) return
  for (const { from, to, logBytes } of layout.logRanges) {
    let start: Key = from
    for (;;) {
      const first = await firstKey(main.underneath, { from: start, to })
      if (first === undefined) break
      const log = first.subarray(0, logBytes)
      await eachPage(main.underneath, { from: logEntryKey(log, cut + 1n), to: above(log) }, (keys) =>
        main.transactKeeping(
          keys,
          () => ({ writes: keys.map((key) => ({ kind: 'delete', key })), answer: undefined }),
          branch.id,
        ),
      )
      start = above(log)
    }
  }
}

async function firstKey(store: Store, range: Range): Promise<Key | undefined> {
  let first: Key | undefined
  await store.view((snapshot) =>
    snapshot.range({ ...range, limit: 1 }, (key) => {
      first = key
      return false
    }),
  )
  return first
}
