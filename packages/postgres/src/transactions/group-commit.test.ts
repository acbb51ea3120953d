import { keyPlacement, type Key } from '@hashrange/engine'
import { describe, expect, test, vi } from 'vitest'
import type { Dialect } from '../reads/found.ts'
import { Placement } from '../reads/placement.ts'
import { statementsFor } from '../schema/statements.ts'
import { GroupCommit, type Pending } from './group-commit.ts'

const dialect = (distributed: boolean): Dialect => ({
  statements: statementsFor('test', 64),
  placement: new Placement(keyPlacement, 64, distributed),
  distributed,
})

/** A key of an item, in the shard that its hash names. */
const key = (hash: number, sort = 0): Key => Buffer.of(0x10, 0, 0, 0, 1, hash, sort)

/** Collects the groups; each is over when the test says so. `written` are the keys that they write. */
function newCommits(options: { readonly lanes: number; readonly distributed?: boolean }): {
  readonly commits: GroupCommit
  readonly groups: (readonly Pending[])[]
  readonly finish: (written?: readonly Key[]) => void
} {
  const groups: (readonly Pending[])[] = []
  const finishing: ((written: readonly Key[]) => void)[] = []
  const commits = new GroupCommit({
    dialect: dialect(options.distributed === true),
    lanes: options.lanes,
    timeoutMs: 60_000,
    run: (group) =>
      new Promise((resolve) => {
        groups.push(group)
        finishing.push((written) => {
          const names = written.map((one) => Buffer.from(one).toString('latin1'))
          for (const pending of group) {
            pending.onlyRead = pending.names.filter((name) => !names.includes(name))
            pending.resolve(undefined)
          }
          resolve()
        })
      }),
  })
  return { commits, groups, finish: (written = []) => finishing.shift()?.(written) }
}

const decide = () => ({ writes: [], answer: undefined })
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1))

describe('transactions of one process', () => {
  test('that arrive together share a group, and those behind it share the next', async () => {
    const { commits, groups, finish } = newCommits({ lanes: 1 })
    for (const hash of [1, 2, 3]) void commits.transact([key(hash)], decide)
    await turn()
    for (const hash of [4, 5]) void commits.transact([key(hash)], decide)
    await turn()
    expect(groups.map(({ length }) => length)).toEqual([3])
    finish()
    await vi.waitFor(() => expect(groups.map(({ length }) => length)).toEqual([3, 2]))
    finish()
    await commits.idle()
  })

  test('wait for those under way that name the same key, in the order of their arrival', async () => {
    const { commits, groups, finish } = newCommits({ lanes: 2 })
    void commits.transact([key(1)], decide)
    await turn()
    void commits.transact([key(1), key(2)], decide)
    void commits.transact([key(2)], decide)
    void commits.transact([key(3)], decide)
    await vi.waitFor(() => expect(groups).toHaveLength(2))
    expect(groups.map((group) => group.map(({ keys }) => keys[0]?.[5]))).toEqual([[1], [3]])
    finish([key(1)])
    await vi.waitFor(() => expect(groups).toHaveLength(3))
    expect(groups[2]?.map(({ keys }) => keys.length)).toEqual([2, 1])
    finish()
    finish()
    await commits.idle()
  })

  test('do not wait for a key that is known to be read only', async () => {
    const { commits, groups, finish } = newCommits({ lanes: 2 })
    const version = key(9)
    void commits.transact([key(1), version], decide)
    await turn()
    finish([key(1)])
    await turn()
    void commits.transact([key(2), version], decide)
    await turn()
    void commits.transact([key(3), version], decide)
    await vi.waitFor(() => expect(groups).toHaveLength(3))
    finish([key(2)])
    finish([key(3)])
    await commits.idle()
  })

  test('open another lane at once if they are many, and for a few only if the group under way is slow', async () => {
    const { commits, groups, finish } = newCommits({ lanes: 3 })
    void commits.transact([key(1)], decide)
    await turn()
    for (let hash = 2; hash < 18; hash++) void commits.transact([key(hash)], decide)
    void commits.transact([key(18)], decide)
    await vi.waitFor(() => expect(groups.map(({ length }) => length)).toEqual([1, 17]))
    void commits.transact([key(19)], decide)
    void commits.transact([key(20)], decide)
    // Nothing ends, as if somebody held a lock.
    await vi.waitFor(() => expect(groups.map(({ length }) => length)).toEqual([1, 17, 2]))
    for (let group = 0; group < 3; group++) finish()
    await commits.idle()
  })

  test('wait a little for those who have just got their answer', async () => {
    const { commits, groups, finish } = newCommits({ lanes: 1 })
    const again = commits.transact([key(1)], decide).then(() => commits.transact([key(2)], decide))
    await turn()
    void commits.transact([key(3)], decide)
    await turn()
    finish()
    await vi.waitFor(() =>
      expect(groups.map((group) => group.map(({ keys }) => keys[0]?.[5]))).toEqual([[1], [3, 2]]),
    )
    finish()
    await again
    await commits.idle()
  })

  test('keep to one shard where the tables are spread over nodes', async () => {
    const { commits, groups, finish } = newCommits({ lanes: 2, distributed: true })
    for (const hash of [0, 0x40, 1, 0x41]) void commits.transact([key(hash)], decide)
    await turn()
    expect(groups.map((group) => group.map(({ keys }) => keys[0]?.[5]))).toEqual([
      [0, 1],
      [0x40, 0x41],
    ])
    finish()
    finish()
    await commits.idle()
  })
})
