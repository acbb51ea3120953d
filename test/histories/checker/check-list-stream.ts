import { mostTelling, type Anomaly } from './anomaly.ts'
import { describeTransaction, type Transaction } from './transaction.ts'
import { inferVersionOrders } from './version-orders.ts'

/** A record of a stream, with the list that it shows. */
export interface ListRecord {
  readonly key: string
  readonly values: readonly number[]
}

/** Whether a stream shows each append exactly once, whole, and in the order in which it was made. `records` are in the order in which they were read. */
export function checkListStream(
  history: readonly Transaction[],
  records: readonly ListRecord[],
): readonly Anomaly[] {
  const { orders, writers } = inferVersionOrders(history)
  const anomalies: Anomaly[] = []
  const shown = new Map<string, readonly number[]>()
  for (const { key, values } of records) {
    const before = shown.get(key) ?? []
    shown.set(key, values)
    const found = (kind: string, what: string): void => {
      anomalies.push({
        kind,
        explanation: `the stream shows ${key} as [${values.join(' ')}] after [${before.join(' ')}]: ${what}`,
      })
    }
    if (before.some((value, index) => value !== values[index])) {
      found('stream out of order', 'a list only grows')
      continue
    }
    const added = values.slice(before.length)
    const node = writers.get(added[0] ?? Number.NaN)?.node
    const writer = node === undefined ? undefined : history[node]
    const appended = writer?.appends.find((append) => append.key === key)?.values ?? []
    if (added.length === 0) found('stream repeats a record', 'nothing was appended')
    else if (writer === undefined || writer.outcome === 'aborted')
      found('stream shows what has not happened', `${added.join(' ')} was never appended`)
    else if (added.length !== appended.length || added.some((value, index) => value !== appended[index])) {
      found('stream misses a record', `that is not one append, such as of\n  ${describeTransaction(writer)}`)
    }
  }
  for (const [key, order] of orders) {
    const values = shown.get(key) ?? []
    const isMissing = order.some((value, index) => value !== values[index])
    // What was under way when the list was read last may have come after that.
    const isMore = values.slice(order.length).some((value) => {
      const node = writers.get(value)?.node
      return node !== undefined && history[node]?.outcome === 'committed'
    })
    if (!isMissing && !isMore) continue
    const kind = isMissing ? 'stream misses a record' : 'stream shows more than was read'
    anomalies.push({
      kind,
      explanation: `${key} was read as [${order.join(' ')}] in the end, and the stream shows it as [${values.join(' ')}]`,
    })
  }
  return mostTelling(anomalies)
}
