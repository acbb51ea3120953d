import type { Scope } from '@hashrange/engine'
import type { RequestFacts } from '../authorization/request-context.ts'
import type { Caller } from './principal.ts'

/** A scope that knows who asks, because it was verified. */
export interface CallingScope extends Scope {
  readonly caller: Caller
  /** What conditions may ask of the request itself. */
  readonly facts: RequestFacts
}

/** The scope of whoever runs the server and shows a token of it. */
export interface OperatorScope extends Scope {
  /** Which token it was: the first digits of its hash. */
  readonly tokenId: string
}

export function isOperator(scope: Scope): scope is OperatorScope {
  return 'tokenId' in scope
}

/** Who asks. A server that verifies nothing lets everybody be the account itself. */
export function callerIn(scope: Scope): Caller {
  return isCalling(scope)
    ? scope.caller
    : { kind: 'root', accountId: scope.accountId, accessKeyId: scope.accountId }
}

export function isCalling(scope: Scope): scope is CallingScope {
  return 'caller' in scope
}
