import { mostTelling, type Anomaly } from './checker/anomaly.ts'
import type { EpochHistory } from './checker/check-epoch.ts'
import type { ListRecord } from './checker/check-list-stream.ts'
import { applyItemAction, type Held } from './checker/item-operation.ts'
import { inferVersionOrders } from './checker/version-orders.ts'

/** What lists and items held when nobody used them any more: what is lost, or comes back, much later is found by it. */
export class Archive {
  /** As text, which is smaller. */
  readonly #lists = new Map<string, string>()
  /** Values without an answer, which may still come. */
  readonly #possible = new Map<string, Set<number>>()
  readonly #items = new Map<string, Held>()
  readonly #uncertainItems = new Set<string>()

  add({ transactions, operations }: EpochHistory): void {
    const { orders } = inferVersionOrders(transactions)
    const seen = new Set<number>()
    for (const [key, values] of orders) {
      this.#lists.set(key, values.join(' '))
      for (const value of values) seen.add(value)
    }
    for (const { outcome, appends } of transactions) {
      if (outcome !== 'unknown') continue
      for (const { key, values } of appends) {
        const left = values.filter((value) => !seen.has(value))
        if (left.length > 0) this.#possible.set(key, new Set([...(this.#possible.get(key) ?? []), ...left]))
      }
    }
    // The last operation on an item is a read that came after all others.
    for (const operation of operations) {
      const { key, answer } = operation
      if (answer === undefined) this.#uncertainItems.add(key)
      else if (operation.action.kind === 'read')
        this.#items.set(key, applyItemAction(answer.before?.held, operation)?.held)
    }
  }

  /** What a stream shows of a list after its part of the run is over. */
  checkLate({ key, values }: ListRecord): readonly Anomaly[] {
    const anomalies = this.#compare(key, values)
    if (anomalies.length === 0) this.#lists.set(key, values.join(' '))
    return anomalies
  }

  checkLists(lists: ReadonlyMap<string, readonly number[]>): readonly Anomaly[] {
    return mostTelling([...this.#lists.keys()].flatMap((key) => this.#compare(key, lists.get(key) ?? [])))
  }

  checkItems(items: ReadonlyMap<string, Held>): readonly Anomaly[] {
    const anomalies: Anomaly[] = []
    for (const [key, held] of this.#items) {
      const found = items.get(key)
      if (found === held || this.#uncertainItems.has(key)) continue
      const explanation = `${key} held ${held ?? 'nothing'} when it was last used, and holds ${found ?? 'nothing'}`
      anomalies.push({ kind: 'changed by nobody', explanation })
    }
    return mostTelling(anomalies)
  }

  #compare(key: string, values: readonly number[]): readonly Anomaly[] {
    const known = this.#lists.get(key) ?? ''
    const text = values.join(' ')
    if (text === known) return []
    const knownCount = known === '' ? 0 : known.split(' ').length
    const isLonger = known === '' || text.startsWith(`${known} `)
    const possible = this.#possible.get(key)
    if (isLonger && values.slice(knownCount).every((value) => possible?.has(value))) return []
    const explanation = `${key} held [${known}] when it was last used, and holds [${text}]`
    return [{ kind: 'changed by nobody', explanation }]
  }
}
