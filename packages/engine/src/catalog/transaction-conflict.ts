import { ServiceError } from '@hashrange/core'

/** What a write of one item is answered that others kept from happening. */
export function transactionConflict(): ServiceError {
  return new ServiceError('TransactionConflictException', message)
}

export function isTransactionConflict(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'TransactionConflictException'
}

/** The same, as the reason of a cancelled transaction. */
export const conflictReason = { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' }

const message = conflictReason.Message
