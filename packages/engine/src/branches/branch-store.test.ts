import { describeStore } from '../store/describe-store.ts'
import { openLmdbStore } from '../store/lmdb-store.ts'
import { BranchStore } from './branch-store.ts'
import { Branches } from './branches.ts'
import { wordLayout } from './testing/word-layout.ts'

describeStore(
  'a branch',
  async () => {
    const store = await openLmdbStore({ memory: true })
    const branches = await Branches.open(store, wordLayout)
    const branch = branches.storeOf(await branches.create({ name: 'one', kind: 'branch', atMs: 0 }))
    const close = async (): Promise<void> => {
      await BranchStore.prototype.close.call(branch)
      await store.close()
    }
    return Object.assign(branch, { close })
  },
  { waitsForExpiry: false, longestKeyBytes: 1_973 },
)
