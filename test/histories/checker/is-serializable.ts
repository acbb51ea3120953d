import { lengthOf, type Transaction } from './transaction.ts'

/** The same question as `checkTransactions` answers, by trying every order: for histories of a handful. */
export function isSerializable(history: readonly Transaction[]): boolean {
  const left = new Set(history.filter(({ outcome, reads }) => outcome !== 'aborted' || reads.length > 0))
  const lists = new Map<string, readonly number[]>()

  const search = (): boolean => {
    if ([...left].every(({ outcome }) => outcome === 'unknown')) return true
    const firstEndMs = Math.min(...[...left].map(({ endedAtMs }) => endedAtMs))
    const tried = Array.from(left)
    for (const transaction of tried) {
      if (transaction.startedAtMs > firstEndMs || !holds(transaction)) continue
      left.delete(transaction)
      const before = new Map(lists)
      if (transaction.outcome !== 'aborted') {
        for (const { key, values } of transaction.appends) lists.set(key, [...(lists.get(key) ?? []), ...values])
      }
      if (search()) return true
      left.add(transaction)
      lists.clear()
      for (const [key, values] of before) lists.set(key, values)
    }
    return false
  }

  const holds = ({ reads }: Transaction): boolean =>
    reads.every((read) => {
      const list = lists.get(read.key) ?? []
      if (lengthOf(read) !== list.length) return false
      return !('values' in read) || read.values.every((value, index) => value === list[index])
    })

  return search()
}
