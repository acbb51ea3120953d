import type { Scope } from '@hashrange/engine'
import { documentOf } from '../identities/find-policy.ts'
import type { IdentityBook } from '../identities/identity-book.ts'
import { put, requireRole, requireUser } from './holders.ts'
import { changeIn, type IamContext } from './iam-context.ts'
import { noSuchEntity } from './iam-errors.ts'

interface BoundaryInput {
  readonly UserName?: string
  readonly RoleName?: string
  readonly PermissionsBoundary?: string
}

export const putUserPermissionsBoundary = bounding('user')
export const putRolePermissionsBoundary = bounding('role')
export const deleteUserPermissionsBoundary = bounding('user')
export const deleteRolePermissionsBoundary = bounding('role')

export function assertBoundary(book: IdentityBook, arn: string | undefined): void {
  if (arn === undefined || documentOf(book, arn) !== undefined) return
  throw noSuchEntity(`Scope ARN: ${arn} does not exist or is not attachable.`)
}

/** Without a boundary in its input, an operation takes it away. */
function bounding(kind: 'user' | 'role') {
  return (iam: IamContext, scope: Scope, input: BoundaryInput): Promise<undefined> =>
    changeIn(iam, scope, (account, book) => {
      const boundary = input.PermissionsBoundary
      assertBoundary(book, boundary)
      const holder =
        kind === 'user' ? requireUser(account, input.UserName ?? '') : requireRole(account, input.RoleName ?? '')
      return { changes: [put(account, { ...holder, boundary })], answer: undefined }
    })
}
