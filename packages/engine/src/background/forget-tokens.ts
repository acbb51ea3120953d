import { tokensExpiredBy } from '../layout/key-space.ts'
import type { Key, Store, Write } from '../store/store.ts'
import { isExpiredToken } from '../transactions/client-token.ts'
import { breathe, type Stopping } from '../work/background-work.ts'

const tokensPerTransaction = 500

/** Removes the tokens of transactions that are too old to be repeated. The cost depends on what it removes. */
export async function forgetTokens(store: Store, expiredByMs: number, stopping: Stopping): Promise<void> {
  while (!stopping.aborted) {
    const expiries: Key[] = []
    const tokens: Key[] = []
    await store.view((snapshot) =>
      snapshot.range({ ...tokensExpiredBy(expiredByMs), limit: tokensPerTransaction }, (expiry, token) => {
        expiries.push(expiry)
        tokens.push(token)
        return tokens.length < tokensPerTransaction
      }),
    )
    if (tokens.length === 0) return
    await store.transact(tokens, (values) => {
      const writes: Write[] = expiries.map((key) => ({ kind: 'delete', key }))
      // A token may have been used again since it was read.
      tokens.forEach((key, position) => {
        if (isExpiredToken(values[position], expiredByMs)) writes.push({ kind: 'delete', key })
      })
      return { writes, answer: undefined }
    })
    await breathe()
  }
}
