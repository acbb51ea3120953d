import type { Scope } from '@hashrange/engine'
import type { IamContext } from '../iam/iam-context.ts'
import { callerIn } from '../identities/calling-scope.ts'
import { arnOfCaller, userIdOfCaller } from '../identities/principal.ts'

export async function getCallerIdentity(_iam: IamContext, scope: Scope): Promise<object> {
  const caller = callerIn(scope)
  return { UserId: userIdOfCaller(caller), Account: caller.accountId, Arn: arnOfCaller(caller) }
}
