import type { Anomaly } from './anomaly.ts'
import { describeTransaction, type Transaction } from './transaction.ts'

/** Who appended a value. */
export interface Writer {
  /** The transaction's place in the history. */
  readonly node: number
  readonly key: string
  /** Whether it is the last of what its transaction appended to the list. */
  readonly isLast: boolean
}

/** In which order values were appended to each list. Since lists only grow, every read is a beginning of the longest one; what is not in
 *  that was appended later, or never. */
export interface VersionOrders {
  readonly orders: ReadonlyMap<string, readonly number[]>
  readonly writers: ReadonlyMap<number, Writer>
  /** What shows already without looking for cycles. */
  readonly anomalies: readonly Anomaly[]
}

export function inferVersionOrders(history: readonly Transaction[]): VersionOrders {
  const writers = writersOf(history)
  const longest = new Map<string, { readonly values: readonly number[]; readonly reader: Transaction }>()
  const anomalies: Anomaly[] = []
  for (const transaction of history) {
    for (const read of transaction.reads) {
      if (!('values' in read)) continue
      const { key, values } = read
      const known = longest.get(key)
      if (known === undefined) {
        longest.set(key, { values, reader: transaction })
        continue
      }
      const isLonger = values.length > known.values.length
      const [shorter, longer] = isLonger ? [known.values, values] : [values, known.values]
      const position = shorter.findIndex((value, index) => value !== longer[index])
      if (position >= 0) {
        const [one, other] = [transaction, known.reader].map((reader) => describeTransaction(reader))
        const explanation = `${key} was read with ${values[position]} and with ${known.values[position]} at position ${position}, and lists only grow:\n  ${one}\n  ${other}`
        anomalies.push({ kind: 'incompatible orders', explanation })
      } else if (isLonger) longest.set(key, { values, reader: transaction })
    }
  }
  const orders = new Map<string, readonly number[]>()
  for (const [key, { values, reader }] of longest) {
    orders.set(key, values)
    anomalies.push(...impossibleValues(key, values, reader, writers, history))
  }
  for (const transaction of history) anomalies.push(...intermediateReads(transaction, writers, history))
  return { orders, writers, anomalies }
}

function writersOf(history: readonly Transaction[]): ReadonlyMap<number, Writer> {
  const writers = new Map<number, Writer>()
  history.forEach(({ id, appends }, node) => {
    for (const { key, values } of appends) {
      values.forEach((value, index) => {
        if (writers.has(value))
          throw new Error(`T${id} appends ${value}, which was appended before: this history cannot be checked`)
        writers.set(value, { node, key, isLast: index === values.length - 1 })
      })
    }
  })
  return writers
}

function impossibleValues(
  key: string,
  values: readonly number[],
  reader: Transaction,
  writers: ReadonlyMap<number, Writer>,
  history: readonly Transaction[],
): readonly Anomaly[] {
  const anomalies: Anomaly[] = []
  const seen = new Set<number>()
  values.forEach((value, position) => {
    const found = (kind: string, what: string, ...others: readonly (Transaction | undefined)[]): void => {
      const transactions = [reader, ...others].flatMap((one) => (one === undefined ? [] : describeTransaction(one)))
      anomalies.push({ kind, explanation: `${key} holds ${value}, ${what}:\n  ${transactions.join('\n  ')}` })
    }
    const writer = writers.get(value)
    const source = writer === undefined ? undefined : history[writer.node]
    if (seen.has(value)) found('duplicate elements', 'and holds it again', source)
    seen.add(value)
    if (source === undefined || writer?.key !== key) found('garbage read', 'which nobody appended to it', source)
    else if (source.outcome === 'aborted') {
      found('G1a (aborted read)', 'whose transaction was refused', source)
      // Somebody built upon it.
      const next = writers.get(values[position + 1] ?? Number.NaN)
      const successor = next === undefined ? undefined : history[next.node]
      if (successor?.outcome === 'committed')
        found('dirty update', 'and more was appended to it', source, successor)
    }
  })
  return anomalies
}

/** Reads that end in the middle of what one transaction appended. */
function intermediateReads(
  transaction: Transaction,
  writers: ReadonlyMap<number, Writer>,
  history: readonly Transaction[],
): readonly Anomaly[] {
  const anomalies: Anomaly[] = []
  for (const read of transaction.reads) {
    const last = 'values' in read ? read.values.at(-1) : undefined
    const writer = last === undefined ? undefined : writers.get(last)
    const source = writer === undefined ? undefined : history[writer.node]
    if (writer?.isLast !== false || source === undefined || source === transaction) continue
    anomalies.push({
      kind: 'G1b (intermediate read)',
      explanation: `${read.key} was read in the middle of an append:\n  ${describeTransaction(transaction)}\n  ${describeTransaction(source)}`,
    })
  }
  return anomalies
}
