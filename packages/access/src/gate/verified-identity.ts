import type { AuditedCall } from '@hashrange/server'
import type { UserIdentity } from '../audit/user-identity.ts'
import { isCalling, isOperator } from '../identities/calling-scope.ts'
import { arnOfCaller, roleArn, userIdOfCaller, type Caller } from '../identities/principal.ts'

/** Who has made a call, as it was verified; nothing if the call did not get so far. */
export function verifiedIdentity({ scope }: AuditedCall): UserIdentity | undefined {
  if (scope === undefined) return undefined
  if (isOperator(scope)) return { type: 'Operator', accountId: scope.accountId, credentialId: scope.tokenId }
  if (!isCalling(scope)) return undefined
  const { caller } = scope
  return {
    type: types[caller.kind],
    principalId: userIdOfCaller(caller),
    arn: arnOfCaller(caller),
    accountId: caller.accountId,
    accessKeyId: caller.accessKeyId,
    ...(caller.kind === 'user' && { userName: caller.user.name }),
    ...(caller.session !== undefined && { sessionContext: sessionOf(caller, caller.session.issuedAtMs) }),
  }
}

const types = { root: 'Root', user: 'IAMUser', role: 'AssumedRole' } as const

function sessionOf(caller: Caller, issuedAtMs: number): object {
  const { accountId } = caller
  return {
    ...(caller.kind === 'role' && {
      sessionIssuer: {
        type: 'Role',
        principalId: caller.role.id,
        arn: roleArn(accountId, caller.role),
        accountId,
        userName: caller.role.name,
      },
    }),
    attributes: { creationDate: new Date(issuedAtMs).toISOString(), mfaAuthenticated: 'false' },
  }
}
