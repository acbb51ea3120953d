import type { TransactWriteItemsInput } from '../api/transaction-inputs.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'
import { checkUntilCancelled } from '../transactions/cancellation.ts'
import { clientTokenOf } from '../transactions/client-token.ts'
import { runWriteActions, type WriteActionsAnswer } from '../transactions/run-write-actions.ts'
import { readWriteActions } from '../transactions/write-action.ts'

export type TransactWriteItemsOutput = WriteActionsAnswer

export async function transactWriteItems(
  engine: EngineParts,
  scope: Scope,
  input: TransactWriteItemsInput,
): Promise<TransactWriteItemsOutput> {
  const actions = readWriteActions(engine, scope, input.TransactItems)
  checkUntilCancelled(actions, ({ check }) => check())
  const token =
    input.ClientRequestToken === undefined
      ? undefined
      : clientTokenOf(scope, input.ClientRequestToken, input.TransactItems)
  return runWriteActions(engine, actions, token, input)
}
