import type { Anomaly } from './anomaly.ts'
import type { Cycle, Step } from './find-cycles.ts'
import { describeTransaction, lengthOf, type Transaction } from './transaction.ts'
import type { VersionOrders } from './version-orders.ts'

/** Says in words why no order of its transactions explains what they have read. */
export function explainCycle(cycle: Cycle, history: readonly Transaction[], versions: VersionOrders): Anomaly {
  const nodes = cycle.steps.map(({ from }) => from)
  const reasons = cycle.steps.map((step) => `  ${reasonOf(step, history, versions)}`)
  const transactions = nodes.map((node) => `  ${describeTransaction(transactionAt(history, node))}`)
  return {
    kind: nameOf(cycle, history, versions),
    explanation: ['no order explains what was read:', ...transactions, 'since', ...reasons].join('\n'),
  }
}

function nameOf(cycle: Cycle, history: readonly Transaction[], versions: VersionOrders): string {
  const [first, second] = cycle.steps
  if (cycle.kind === 'G-single' && cycle.steps.length === 2 && first !== undefined && second !== undefined) {
    const unseen = appendAfter(first, history, versions)
    if (second.kind === 'time' && unseen?.isShown === false) return 'lost append'
    const both = [first.from, first.to].map((node) => transactionAt(history, node))
    const isUpdate = both.every(({ appends }) => appends.some(({ key }) => key === unseen?.key))
    if (second.kind === 'ww' && isUpdate) return 'lost update'
  }
  const name = {
    G0: 'G0 (write cycle)',
    G1c: 'G1c (circular information flow)',
    'G-single': 'G-single (read skew)',
    G2: 'G2 (write skew)',
  }
  return `${name[cycle.kind]}${cycle.needsTime ? ' in real time' : ''}`
}

function reasonOf(step: Step, history: readonly Transaction[], versions: VersionOrders): string {
  const [from, to] = [transactionAt(history, step.from), transactionAt(history, step.to)]
  const before = `T${from.id} comes before T${to.id}:`
  switch (step.kind) {
    case 'time':
      return `${before} it ended ${(to.startedAtMs - from.endedAtMs).toFixed(3)} ms before the other began`
    case 'ww':
      return `${before} ${sharedKeys(from, to)} holds its values first`
    case 'wr':
      return `${before} the other read what it had appended to ${seenKey(from, to)}`
    case 'rw': {
      const unseen = appendAfter(step, history, versions)
      return `${before} it read ${unseen?.key} without ${unseen?.value}, which the other appended`
    }
  }
}

function sharedKeys(from: Transaction, to: Transaction): string {
  const keys = new Set(from.appends.map(({ key }) => key))
  return to.appends.flatMap(({ key }) => (keys.has(key) ? key : [])).join(' or ')
}

function seenKey(writer: Transaction, reader: Transaction): string {
  const keys = new Set(writer.appends.map(({ key }) => key))
  return reader.reads.flatMap((read) => (keys.has(read.key) && lengthOf(read) > 0 ? read.key : [])).join(' or ')
}

/** The value that the first transaction of a step would have seen, had it come after the second. */
function appendAfter(
  { from, to }: Step,
  history: readonly Transaction[],
  { orders, writers }: VersionOrders,
): { readonly key: string; readonly value: number; readonly isShown: boolean } | undefined {
  for (const read of transactionAt(history, from).reads) {
    const order = orders.get(read.key) ?? []
    const next = order[lengthOf(read)]
    if (next !== undefined) {
      if (writers.get(next)?.node === to) return { key: read.key, value: next, isShown: true }
      continue
    }
    const value = transactionAt(history, to).appends.find(({ key }) => key === read.key)?.values[0]
    if (value !== undefined && !order.includes(value)) return { key: read.key, value, isShown: false }
  }
  return undefined
}

function transactionAt(history: readonly Transaction[], node: number): Transaction {
  return history[node] as Transaction
}
