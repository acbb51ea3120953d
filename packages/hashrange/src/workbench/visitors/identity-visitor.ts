import type { CallingScope, Gate, KnownKey } from '@hashrange/access/closed'
import type { Engine, Scope } from '@hashrange/engine'
import type { HttpRequest } from '@hashrange/server'
import { ApiRefusal } from '../api-handler.ts'
import { readScope } from '../read-scope.ts'
import type { Visitor } from './visitor.ts'

/** A visitor who has signed in with a key: what it asks for is decided as if it had asked over the API. */
export interface IdentityVisitor extends Visitor {
  /** The visitor's own scope, for what is asked of access itself. */
  callingScope(region: string): CallingScope
}

/** Where identities ask when the region does not matter. */
const anyRegion = 'us-east-1'

export function identityVisitor(
  gate: Gate,
  engine: Engine,
  key: KnownKey,
  request: HttpRequest,
  endsAtMs: number,
): IdentityVisitor {
  const executor = gate.guard(engine)
  const callingScope = (region: string): CallingScope => {
    const scope = gate.scopeOf(key, region, request)
    if (scope !== undefined) return scope
    throw new ApiRefusal(
      401,
      'SignedOut',
      key.securityToken === undefined
        ? `The access key ${key.accessKeyId} was deactivated or deleted. Sign in with another one.`
        : `The temporary credentials of ${key.accessKeyId} have expired, or their user or role was deleted. Sign in with new ones.`,
    )
  }
  const own = callingScope(anyRegion)
  return {
    signedIn: {
      ...gate.namesOf(own),
      accessKeyId: own.caller.accessKeyId,
      endsAtMs,
      isTemporary: own.caller.session !== undefined,
    },
    callingScope,
    scopeIn: (query): Scope => {
      const { accountId, region } = readScope(query)
      if (accountId === own.accountId) return callingScope(region)
      throw new ApiRefusal(
        403,
        'OtherAccount',
        `You are signed in to account ${own.accountId}, and this address is about account ${accountId}. Choose another account and region at the top, or sign in to that account.`,
      )
    },
    execute: (scope, target, operation, body) => executor.execute(scope, target, operation, body),
    assertMay: (scope, target, operation, body) =>
      gate.assertMay(callingScope(scope.region), target, operation, body),
    assertMayOperate: (action, path) => gate.assertMayOperate(callingScope(anyRegion), action, path),
  }
}

export function isIdentityVisitor(visitor: Visitor): visitor is IdentityVisitor {
  return 'callingScope' in visitor
}
