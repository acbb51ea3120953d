import { mostTelling, type Anomaly } from './anomaly.ts'
import { buildGraph } from './dependency-graph.ts'
import { explainCycle } from './explain-cycle.ts'
import { findCycles } from './find-cycles.ts'
import { describeTransaction, lengthOf, type Transaction } from './transaction.ts'
import { inferVersionOrders, type VersionOrders } from './version-orders.ts'

/** Finds out whether there is an order of the transactions, one after the other, that explains all that was read, and in which a
 *  transaction that ended before another began comes before it: strict serializability. Answers what contradicts it.
 *
 *  The method is Elle's (Kingsbury and Alvaro, "Elle: Inferring Isolation Anomalies from Experimental Observations", 2020): since lists
 *  only grow, what was read gives the order of appends to each list; from that follows which transactions must come before which;
 *  and there is an order exactly if nothing must come before itself. It takes time and memory in proportion to the history. Whatever is appended must be
 *  read in the end, or less is proven than could be. */
export function checkTransactions(history: readonly Transaction[]): readonly Anomaly[] {
  const versions = inferVersionOrders(history)
  const anomalies = [
    ...versions.anomalies,
    ...ownAppendsRead(history, versions),
    ...vanishedValues(history, versions),
  ]
  // The order of versions is not known then, and cycles would say nothing.
  if (anomalies.some(({ kind }) => orderless.has(kind))) return mostTelling(anomalies)
  for (const cycle of findCycles(buildGraph(history, versions)))
    anomalies.push(explainCycle(cycle, history, versions))
  return mostTelling(anomalies)
}

const orderless = new Set(['incompatible orders', 'duplicate elements', 'garbage read'])

/** A condition told that a list was longer than whoever read it later found it. */
function vanishedValues(history: readonly Transaction[], { orders }: VersionOrders): readonly Anomaly[] {
  const latestReads = new Map<string, Transaction>()
  for (const transaction of history) {
    for (const read of transaction.reads) {
      const latest = latestReads.get(read.key)
      if ('values' in read && transaction.startedAtMs > (latest?.startedAtMs ?? -Infinity)) {
        latestReads.set(read.key, transaction)
      }
    }
  }
  const anomalies: Anomaly[] = []
  for (const transaction of history) {
    for (const read of transaction.reads) {
      const later = latestReads.get(read.key)
      if ('values' in read || read.length <= (orders.get(read.key)?.length ?? 0)) continue
      if (later === undefined || later.startedAtMs <= transaction.endedAtMs) continue
      anomalies.push({
        kind: 'lost append',
        explanation: `${read.key} had ${read.length} values, and has fewer later:\n  ${describeTransaction(transaction)}\n  ${describeTransaction(later)}`,
      })
    }
  }
  return anomalies
}

/** What a transaction reads is as it was before its own appends. */
function ownAppendsRead(history: readonly Transaction[], { orders }: VersionOrders): readonly Anomaly[] {
  const anomalies: Anomaly[] = []
  for (const transaction of history) {
    for (const read of transaction.reads) {
      const own = transaction.appends.find(({ key }) => key === read.key)?.values[0]
      const position = own === undefined ? -1 : (orders.get(read.key)?.indexOf(own) ?? -1)
      if (position < 0 || position >= lengthOf(read)) continue
      const explanation = `${read.key} was read with what the same transaction appended later:\n  ${describeTransaction(transaction)}`
      anomalies.push({ kind: 'internal inconsistency', explanation })
    }
  }
  return anomalies
}
