import { ServiceError } from '@hashrange/core'

/** Why an action kept its transaction from happening; `None` for the others. */
export interface CancellationReason {
  readonly Code: string
  readonly Message?: string
  readonly Item?: unknown
}

export const noReason: CancellationReason = { Code: 'None' }

/** Runs `attempt` for each action and collects what they throw; if any does, the transaction is cancelled with all
 *  reasons, in the order of the request. */
export function forAllOrCancel<Action, Result>(
  actions: readonly Action[],
  attempt: (action: Action, position: number) => Result,
): readonly Result[] {
  const results: Result[] = []
  let reasons: CancellationReason[] | undefined
  actions.forEach((action, position) => {
    try {
      results.push(attempt(action, position))
    } catch (error) {
      reasons ??= actions.map(() => noReason)
      reasons[position] = reasonOf(error)
    }
  })
  if (reasons !== undefined) throw transactionCanceled(reasons)
  return results
}

function transactionCanceled(reasons: readonly CancellationReason[]): ServiceError {
  return new ServiceError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons.map(({ Code }) => Code).join(', ')}]`,
    { CancellationReasons: reasons },
  )
}

const codes: Readonly<Record<string, string>> = {
  ConditionalCheckFailedException: 'ConditionalCheckFailed',
  ValidationException: 'ValidationError',
  ItemCollectionSizeLimitExceededException: 'ItemCollectionSizeLimitExceeded',
}

function reasonOf(error: unknown): CancellationReason {
  const code = error instanceof ServiceError ? codes[error.code] : undefined
  if (!(error instanceof ServiceError) || code === undefined) throw error
  return { Code: code, Message: error.message, ...error.members }
}
