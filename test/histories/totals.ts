import type { EpochHistory } from './checker/check-epoch.ts'

/** What a run has come to. */
export class Totals {
  epochs = 0
  committed = 0
  readonly #startedAtMs = performance.now()
  readonly #counts = { transactions: 0, operations: 0, unknown: 0, refused: 0, records: 0 }

  add({ history, committed }: { readonly history: EpochHistory; readonly committed: number }): void {
    const { transactions, operations, listRecords, itemRecords } = history
    this.epochs++
    this.committed += committed
    this.#counts.transactions += transactions.length
    this.#counts.operations += operations.length
    this.#counts.records += listRecords.length + itemRecords.length
    for (const { outcome } of transactions) {
      if (outcome === 'unknown') this.#counts.unknown++
      else if (outcome === 'aborted') this.#counts.refused++
    }
    for (const { answer } of operations) if (answer === undefined) this.#counts.unknown++
  }

  describe(): string {
    const { transactions, operations, unknown, refused, records } = this.#counts
    const seconds = (performance.now() - this.#startedAtMs) / 1_000
    return (
      `${this.committed} transactions checked in ${seconds.toFixed(0)} s (${Math.round(this.committed / seconds)}/s), with all that touches lists ` +
      `${transactions} and ${operations} operations on single items; ${refused} refused, ${unknown} without an answer; ${records} stream records`
    )
  }
}
