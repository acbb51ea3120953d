import { ServiceError, type Item } from '@hashrange/core'
import { toPlain } from '@hashrange/engine'
import type { DaxTable } from '../dax-backend.ts'
import { errorAnswer } from '../protocol/error-answer.ts'
import { writeValues } from '../wire/items.ts'
import type { DaxNode } from './dax-node.ts'

interface Reason {
  readonly Code?: string
  readonly Message?: string
  readonly Item?: Item
}

/** A transaction that is cancelled says why, item by item. */
export async function withReasons(
  node: DaxNode,
  tables: readonly DaxTable[],
  transact: () => Promise<Buffer>,
): Promise<Buffer> {
  try {
    return await transact()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'TransactionCanceledException') throw error
    const reasons = (toPlain(error.members['CancellationReasons']) ?? []) as readonly Reason[]
    return errorAnswer(
      error,
      reasons.map(({ Code = 'None', Message, Item }, position) => ({
        code: Code,
        message: Message,
        item: Item && writeValues(Item, tables[position]?.keys ?? [], node.lists),
      })),
    )
  }
}
