import { mostTelling, type Anomaly } from './anomaly.ts'
import { describeItemOperation, type Held, type ItemOperation } from './item-operation.ts'

/** A record of a stream, with what it shows of an item before and after a change. */
export interface ItemRecord {
  readonly key: string
  readonly before: Held
  readonly after: Held
}

/** Whether a stream shows each change of the items exactly once, and each item's in an order that clients can agree with. Values that are written
 *  and amounts that are added are unique, and `records` are in the order in which they were read. */
export function checkItemStream(
  operations: readonly ItemOperation[],
  records: readonly ItemRecord[],
): readonly Anomaly[] {
  const anomalies: Anomaly[] = []
  const items = new Map<string, ItemChanges>()
  const changesOf = (key: string): ItemChanges => {
    const known = items.get(key) ?? new ItemChanges()
    items.set(key, known)
    return known
  }
  for (const operation of operations) changesOf(operation.key).expect(operation)
  for (const record of records) anomalies.push(...changesOf(record.key).take(record))
  for (const changes of items.values()) anomalies.push(...changes.missing())
  return mostTelling(anomalies)
}

/** The changes of one item: those that must be shown, those that may be, and how far the stream has shown them. */
class ItemChanges {
  readonly #certain = new Map<string, ItemOperation>()
  readonly #possible = new Map<string, ItemOperation[]>()
  #held: Held
  #latestStart: ItemOperation | undefined

  expect(operation: ItemOperation): void {
    const { action, answer } = operation
    if (action.kind === 'read' || answer?.isDone === false) return
    const before = answer?.before
    if (action.kind === 'delete' && before !== undefined) {
      // Nothing changes where nothing was.
      if (before.held !== undefined) this.#certain.set(`remove ${before.held}`, operation)
    } else if (action.kind === 'delete') this.#expectPossible('remove', operation)
    else if (action.kind === 'add' && before !== undefined) {
      this.#certain.set(`add to ${before.held ?? 'nothing'}`, operation)
    } else if (action.kind === 'add') this.#expectPossible(`add ${action.amount}`, operation)
    else if (answer === undefined) this.#expectPossible(`write ${action.value}`, operation)
    else this.#certain.set(`write ${action.value}`, operation)
  }

  #expectPossible(name: string, operation: ItemOperation): void {
    const known = this.#possible.get(name)
    // Those that were answered must be shown: they come first.
    if (known === undefined) this.#possible.set(name, [operation])
    else if (operation.answer === undefined) known.push(operation)
    else known.unshift(operation)
  }

  take(record: ItemRecord): readonly Anomaly[] {
    const shown = `the stream shows ${record.key} from ${record.before ?? 'nothing'} to ${record.after ?? 'nothing'}`
    const previous = this.#held
    this.#held = record.after
    if (record.before !== previous) {
      const explanation = `${shown}, when the record before had left it at ${previous ?? 'nothing'}`
      return [{ kind: 'stream misses or repeats a record', explanation }]
    }
    const operation = this.#takeOperation(record)
    if (operation === undefined) {
      return [
        { kind: 'stream shows what has not happened', explanation: `${shown}, which nobody did, or not again` },
      ]
    }
    const latest = this.#latestStart
    // Of deletions without an answer it is not known which one this was.
    const isSure = operation.action.kind !== 'delete' || operation.answer !== undefined
    if (isSure && operation.startedAtMs > (latest?.startedAtMs ?? -Infinity)) this.#latestStart = operation
    if (latest === undefined || operation.endedAtMs >= latest.startedAtMs) return []
    const explanation = `${shown} after a change that began when it was over:\n  ${describeItemOperation(operation)}\n  ${describeItemOperation(latest)}`
    return [{ kind: 'stream out of order', explanation }]
  }

  #takeOperation({ before, after }: ItemRecord): ItemOperation | undefined {
    const added = (after ?? 0) - (before ?? 0)
    for (const name of [`write ${after}`, `remove ${before}`, `add to ${before ?? 'nothing'}`]) {
      if (name.startsWith('remove') !== (after === undefined)) continue
      const operation = this.#certain.get(name)
      if (operation === undefined || (operation.action.kind === 'add' && operation.action.amount !== added))
        continue
      this.#certain.delete(name)
      return operation
    }
    const names = after === undefined ? ['remove'] : [`write ${after}`, `add ${added}`]
    for (const name of names) {
      const operation = this.#possible.get(name)?.shift()
      if (operation !== undefined) return operation
    }
    return undefined
  }

  missing(): readonly Anomaly[] {
    const left = [...this.#certain.values(), ...[...this.#possible.values()].flat()]
    return left
      .filter(({ answer }) => answer !== undefined)
      .map((operation) => ({
        kind: 'stream misses a record',
        explanation: `the stream does not show this change of ${operation.key}:\n  ${describeItemOperation(operation)}`,
      }))
  }
}
