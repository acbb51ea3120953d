import { ServiceError } from '@hashrange/core'
import { ThrottledError } from '../capacity/throttled.ts'
import { EmptyKeyRefusal } from '../items/check-schema.ts'

/** Why an action cancelled its transaction; `None` for the others. */
export interface CancellationReason {
  readonly Code: string
  readonly Message?: string
  readonly Item?: unknown
}

const noReason: CancellationReason = { Code: 'None' }

/** Runs `attempt` for each action and collects their errors; if there are any, the transaction is cancelled with all
 *  reasons, in the order of the request. `moreCodes` lists errors that are reasons besides the usual ones. */
export function forAllOrCancel<Action, Result>(
  actions: readonly Action[],
  attempt: (action: Action, position: number) => Result,
  moreCodes: ReasonCodes = {},
): readonly Result[] {
  const results: Result[] = []
  let reasons: CancellationReason[] | undefined
  actions.forEach((action, position) => {
    try {
      results.push(attempt(action, position))
    } catch (error) {
      reasons ??= actions.map(() => noReason)
      reasons[position] = reasonOf(error, moreCodes)
    }
  })
  if (reasons !== undefined) throw transactionCanceled(reasons)
  return results
}

/** Runs `check` for each action up to the first that it rejects, which is then the only one with a reason. */
export function checkUntilCancelled<Action>(actions: readonly Action[], check: (action: Action) => void): void {
  actions.forEach((action, position) => {
    try {
      check(action)
    } catch (error) {
      const reason = reasonOf(error, {})
      throw transactionCanceled(actions.map((_, other) => (other === position ? reason : noReason)))
    }
  })
}

export function transactionCanceled(reasons: readonly CancellationReason[]): ServiceError {
  return new ServiceError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons.map(({ Code }) => Code).join(', ')}]`,
    { CancellationReasons: reasons },
  )
}

/** The codes of reasons, by the exceptions that they stand for. */
type ReasonCodes = Readonly<Record<string, string>>

const codes: ReasonCodes = {
  ConditionalCheckFailedException: 'ConditionalCheckFailed',
  ValidationException: 'ValidationError',
  ItemCollectionSizeLimitExceededException: 'ItemCollectionSizeLimitExceeded',
  DuplicateItemException: 'DuplicateItem',
  ProvisionedThroughputExceededException: 'ProvisionedThroughputExceeded',
  ThrottlingException: 'ThrottlingError',
  RequestLimitExceeded: 'ThrottlingError',
}

function reasonOf(error: unknown, moreCodes: ReasonCodes): CancellationReason {
  const code = error instanceof ServiceError ? (codes[error.code] ?? moreCodes[error.code]) : undefined
  if (!(error instanceof ServiceError) || code === undefined || error instanceof EmptyKeyRefusal) throw error
  // Reasons have no member for throttling reasons.
  if (error instanceof ThrottledError) return { Code: code, Message: error.message }
  return { Code: code, Message: error.message, ...error.members }
}
