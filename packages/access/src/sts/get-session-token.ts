import { ServiceError } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import { nowOf, type IamContext } from '../iam/iam-context.ts'
import { callerIn } from '../identities/calling-scope.ts'
import { newTemporaryCredentials } from './temporary-credentials.ts'

interface GetSessionTokenInput {
  readonly DurationSeconds?: number
}

const longestOfRootSeconds = 3600

export async function getSessionToken(iam: IamContext, scope: Scope, input: GetSessionTokenInput): Promise<object> {
  const caller = callerIn(scope)
  if (caller.session !== undefined || caller.kind === 'role') {
    throw new ServiceError('AccessDeniedException', 'Cannot call GetSessionToken with session credentials')
  }
  const wantedSeconds = input.DurationSeconds ?? 43_200
  const seconds = caller.kind === 'root' ? Math.min(wantedSeconds, longestOfRootSeconds) : wantedSeconds
  const about = caller.kind === 'user' ? { userId: caller.user.id } : {}
  const credentials = await newTemporaryCredentials(iam, nowOf(iam), seconds, {
    accountId: caller.accountId,
    ...about,
  })
  return { Credentials: credentials }
}
