import type { Scope } from '@hashrange/engine'
import { callerIn } from '../identities/calling-scope.ts'
import type { UserRecord } from '../identities/identity-records.ts'
import { rootArn } from '../identities/principal.ts'
import { newId } from '../secrets/new-credentials.ts'
import { assertBoundary } from './boundaries.ts'
import { describeUser } from './describe.ts'
import { assertNameFree, put, requireUser } from './holders.ts'
import { accountIn, changeIn, nowOf, type IamContext } from './iam-context.ts'
import { deleteConflict, validationError } from './iam-errors.ts'
import { isBelow, pageOf, type PageInput } from './page.ts'
import { readTags, type TagInput } from './tags.ts'

interface UserInput {
  readonly UserName: string
}

interface CreateUserInput extends UserInput {
  readonly Path?: string
  readonly PermissionsBoundary?: string
  readonly Tags?: readonly TagInput[]
}

export async function createUser(iam: IamContext, scope: Scope, input: CreateUserInput): Promise<object> {
  const id = newId('AIDA', scope.accountId)
  return changeIn(iam, scope, (account, book) => {
    assertNameFree(account.users, 'User', input.UserName)
    assertBoundary(book, input.PermissionsBoundary)
    const user: UserRecord = {
      kind: 'user',
      name: input.UserName,
      path: input.Path ?? '/',
      id,
      createdAtMs: nowOf(iam),
      inline: [],
      attached: [],
      tags: readTags(input.Tags),
      boundary: input.PermissionsBoundary,
      groups: [],
    }
    return { changes: [put(account, user)], answer: { User: describeUser(account.accountId, user, true) } }
  })
}

/** Without a name, the user who asks. */
export async function getUser(iam: IamContext, scope: Scope, input: Partial<UserInput>): Promise<object> {
  const account = await accountIn(iam, scope)
  const caller = callerIn(scope)
  if (input.UserName === undefined && caller.kind === 'root') {
    const { accountId } = account
    return { User: { Path: '/', UserId: accountId, Arn: rootArn(accountId), CreateDate: new Date(0) } }
  }
  if (input.UserName === undefined && caller.kind === 'role') {
    throw validationError('Must specify userName when calling with non-User credentials')
  }
  const name = input.UserName ?? (caller.kind === 'user' ? caller.user.name : '')
  return { User: describeUser(account.accountId, requireUser(account, name), true) }
}

export async function listUsers(iam: IamContext, scope: Scope, input: PageInput): Promise<object> {
  const account = await accountIn(iam, scope)
  const { items, rest } = pageOf([...account.users.values()].filter(isBelow(input)), ({ name }) => name, input)
  return { Users: items.map((user) => describeUser(account.accountId, user)), ...rest }
}

interface UpdateUserInput extends UserInput {
  readonly NewPath?: string
  readonly NewUserName?: string
}

/** Keys and groups are of the user's identifier, and stay with it. */
export async function updateUser(iam: IamContext, scope: Scope, input: UpdateUserInput): Promise<undefined> {
  return changeIn(iam, scope, (account) => {
    const user = requireUser(account, input.UserName)
    const name = input.NewUserName ?? user.name
    if (name.toLowerCase() !== user.name.toLowerCase()) assertNameFree(account.users, 'User', name)
    const renamed = { ...user, name, path: input.NewPath ?? user.path }
    const { accountId } = account
    const changes = name === user.name ? [] : [{ accountId, remove: user }]
    return { changes: [...changes, { accountId, put: renamed }], answer: undefined }
  })
}

export async function deleteUser(iam: IamContext, scope: Scope, input: UserInput): Promise<undefined> {
  return changeIn(iam, scope, (account) => {
    const user = requireUser(account, input.UserName)
    if (user.attached.length > 0) throw deleteConflict('Cannot delete entity, must detach all policies first.')
    if (user.inline.length > 0) throw deleteConflict('Cannot delete entity, must delete policies first.')
    if (account.groupsOf(user).length > 0) {
      throw deleteConflict('Cannot delete entity, must remove users from group first.')
    }
    if (account.keysOf(user.id).length > 0) {
      throw deleteConflict('Cannot delete entity, must delete access keys first.')
    }
    return { changes: [{ accountId: account.accountId, remove: user }], answer: undefined }
  })
}
