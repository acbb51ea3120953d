import type { OperatorAction } from '@hashrange/access/closed'
import { ServiceError } from '@hashrange/core'
import type { Engine, MaybePromise, Scope } from '@hashrange/engine'
import type { SignedInAs, SignedInOperator } from '@hashrange/workbench/answers'
import { readScope } from '../read-scope.ts'

/** Whoever uses the page, and what they may do. Handlers reach the database through it. */
export interface Visitor {
  /** Nothing on an open server, where nobody is anybody in particular. */
  readonly signedIn?: SignedInAs
  /** The account and region that a request of the page is about. */
  scopeIn(query: URLSearchParams): Scope
  execute(scope: Scope, target: string, operation: string, body: unknown): MaybePromise<unknown>
  /** Throws the service's refusal unless this operation would be allowed. */
  assertMay(scope: Scope, target: string, operation: string, body: unknown): void
  /** The same for what concerns the whole server, such as `/_workbench/models`. */
  assertMayOperate(action: OperatorAction, path: string): void
}

/** Whoever may do everything: everybody on an open server, and the operator of a closed one. */
export function unlimitedVisitor(engine: Engine, signedIn?: SignedInOperator): Visitor {
  return {
    ...(signedIn !== undefined && { signedIn }),
    scopeIn: readScope,
    execute: (scope, target, operation, body) => engine.execute(scope, target, operation, body),
    assertMay: () => undefined,
    assertMayOperate: () => undefined,
  }
}

/** What is asked of models: they are files of the server, of no account. */
export const modelsPath = '/_workbench/models'

/** The words in which it would be denied; nothing if it is allowed. */
export function operatorDenial(visitor: Visitor, action: OperatorAction, path: string): string | undefined {
  try {
    visitor.assertMayOperate(action, path)
    return undefined
  } catch (error) {
    if (error instanceof ServiceError) return error.message
    throw error
  }
}

export function may(visitor: Visitor, scope: Scope, target: string, operation: string, body: unknown): boolean {
  return denialOf(visitor, scope, target, operation, body) === undefined
}

/** The words in which something would be denied; nothing if it is allowed. */
export function denialOf(
  visitor: Visitor,
  scope: Scope,
  target: string,
  operation: string,
  body: unknown,
): string | undefined {
  try {
    visitor.assertMay(scope, target, operation, body)
    return undefined
  } catch (error) {
    if (error instanceof ServiceError) return error.message
    throw error
  }
}
