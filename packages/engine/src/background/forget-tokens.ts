import { tokensExpiredBy } from '../layout/key-space.ts'
import type { Store, Write } from '../store/store.ts'
import { breathe, type Stopping } from './background-work.ts'

const tokensPerTransaction = 500

/** Removes the tokens of transactions that are too old to be repeated. Costs what it removes. */
export async function forgetTokens(store: Store, nowMs: number, stopping: Stopping): Promise<void> {
  while (!stopping.aborted) {
    const writes: Write[] = []
    let count = 0
    await store.view((snapshot) =>
      snapshot.range({ ...tokensExpiredBy(nowMs), limit: tokensPerTransaction }, (key, token) => {
        writes.push({ kind: 'delete', key }, { kind: 'delete', key: token })
        return ++count < tokensPerTransaction
      }),
    )
    if (count === 0) return
    await store.transact([], () => ({ writes, answer: undefined }))
    await breathe()
  }
}
