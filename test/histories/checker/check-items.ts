import { mostTelling, type Anomaly } from './anomaly.ts'
import { describeItemOperation, type ItemOperation } from './item-operation.ts'
import { linearize } from './linearize.ts'

/** Finds out whether each item behaves as if every operation happened in one moment between its beginning and its end. Items are independent
 *  of each other, which is a theorem (Herlihy and Wing, 1990) and keeps the search small. */
export function checkItems(operations: readonly ItemOperation[]): readonly Anomaly[] {
  const byKey = new Map<string, ItemOperation[]>()
  for (const operation of operations) {
    const known = byKey.get(operation.key)
    if (known === undefined) byKey.set(operation.key, [operation])
    else known.push(operation)
  }
  const anomalies: Anomaly[] = []
  for (const [key, ofKey] of byKey) {
    const verdict = linearize(ofKey)
    if (verdict === 'linearizable') continue
    anomalies.push(
      verdict === 'undecided'
        ? {
            kind: 'undecided',
            explanation: `${key} has too many operations at the same time to be checked: ${ofKey.length}`,
          }
        : { kind: 'not linearizable', explanation: explain(key, ofKey) },
    )
  }
  return mostTelling(anomalies)
}

/** The shortest beginning of the history that is already wrong: what had not ended by then counts as unanswered. It is found by halving, because
 *  what follows never makes a wrong beginning right. */
function explain(key: string, operations: readonly ItemOperation[]): string {
  const ends = operations
    .flatMap(({ endedAtMs }) => (endedAtMs === Infinity ? [] : endedAtMs))
    .toSorted((a, b) => a - b)
  let [low, high] = [0, ends.length - 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const isWrong = linearize(until(operations, ends[middle] ?? 0)) === 'not linearizable'
    if (isWrong) high = middle
    else low = middle + 1
  }
  const wrong = until(operations, ends[low] ?? Infinity).toSorted(
    (one, other) => one.startedAtMs - other.startedAtMs,
  )
  const shown = wrong.slice(-mostShown).map((operation) => `  ${describeItemOperation(operation)}`)
  const left = wrong.length - shown.length
  return [
    `no order explains these operations on ${key}:`,
    ...(left > 0 ? [`  (${left} before)`] : []),
    ...shown,
  ].join('\n')
}

const mostShown = 12

function until(operations: readonly ItemOperation[], endMs: number): readonly ItemOperation[] {
  return operations
    .filter(({ startedAtMs }) => startedAtMs <= endMs)
    .map((operation) =>
      operation.endedAtMs <= endMs ? operation : { ...operation, endedAtMs: Infinity, answer: undefined },
    )
}
