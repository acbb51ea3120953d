import type { Anomaly } from './anomaly.ts'
import { checkItemStream, type ItemRecord } from './check-item-stream.ts'
import { checkItems } from './check-items.ts'
import { checkListStream, type ListRecord } from './check-list-stream.ts'
import { checkTransactions } from './check-transactions.ts'
import type { ItemOperation } from './item-operation.ts'
import type { Transaction } from './transaction.ts'

/** All that clients did in a part of a run, and what streams showed of it. Lists and items of one part are not used in another, so that each can
 *  be checked by itself, in memory that does not grow with the run: no order within one part can contradict that of another. */
export interface EpochHistory {
  readonly transactions: readonly Transaction[]
  readonly operations: readonly ItemOperation[]
  readonly listRecords: readonly ListRecord[]
  readonly itemRecords: readonly ItemRecord[]
}

export function checkEpoch({
  transactions,
  operations,
  listRecords,
  itemRecords,
}: EpochHistory): readonly Anomaly[] {
  return [
    ...checkTransactions(transactions),
    ...checkListStream(transactions, listRecords),
    ...checkItems(operations),
    ...checkItemStream(operations, itemRecords),
  ]
}
