import { ServiceError } from '@hashrange/core'

/** The error for a write of one item that other writes prevented. */
export function transactionConflict(): ServiceError {
  return new ServiceError('TransactionConflictException', message)
}

export function isTransactionConflict(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'TransactionConflictException'
}

/** The same, as the cancellation reason of a transaction. */
export const conflictReason = { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' }

const message = conflictReason.Message
