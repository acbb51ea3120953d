import type { Scope } from '@hashrange/engine'
import type { GroupRecord } from '../identities/identity-records.ts'
import { newId } from '../secrets/new-credentials.ts'
import { describeGroup, describeUser } from './describe.ts'
import { assertNameFree, assertQuota, put, requireGroup, requireUser } from './holders.ts'
import { accountIn, changeIn, nowOf, type IamContext } from './iam-context.ts'
import { deleteConflict } from './iam-errors.ts'
import { isBelow, pageOf, type PageInput } from './page.ts'

interface GroupInput {
  readonly GroupName: string
}

interface MemberInput extends GroupInput {
  readonly UserName: string
}

export async function createGroup(
  iam: IamContext,
  scope: Scope,
  input: GroupInput & { readonly Path?: string },
): Promise<object> {
  const id = newId('AGPA', scope.accountId)
  return changeIn(iam, scope, (account) => {
    assertNameFree(account.groups, 'Group', input.GroupName)
    const group: GroupRecord = {
      kind: 'group',
      name: input.GroupName,
      path: input.Path ?? '/',
      id,
      createdAtMs: nowOf(iam),
      inline: [],
      attached: [],
    }
    return { changes: [put(account, group)], answer: { Group: describeGroup(account.accountId, group) } }
  })
}

export async function getGroup(iam: IamContext, scope: Scope, input: GroupInput & PageInput): Promise<object> {
  const account = await accountIn(iam, scope)
  const { accountId } = account
  const group = requireGroup(account, input.GroupName)
  const { items, rest } = pageOf(account.membersOf(group), ({ name }) => name, input)
  return {
    Group: describeGroup(accountId, group),
    Users: items.map((user) => describeUser(accountId, user)),
    ...rest,
  }
}

export async function listGroups(iam: IamContext, scope: Scope, input: PageInput): Promise<object> {
  const account = await accountIn(iam, scope)
  const { items, rest } = pageOf([...account.groups.values()].filter(isBelow(input)), ({ name }) => name, input)
  return { Groups: items.map((group) => describeGroup(account.accountId, group)), ...rest }
}

export async function listGroupsForUser(
  iam: IamContext,
  scope: Scope,
  input: { readonly UserName: string } & PageInput,
): Promise<object> {
  const account = await accountIn(iam, scope)
  const groups = account.groupsOf(requireUser(account, input.UserName))
  const { items, rest } = pageOf(groups, ({ name }) => name, input)
  return { Groups: items.map((group) => describeGroup(account.accountId, group)), ...rest }
}

interface UpdateGroupInput extends GroupInput {
  readonly NewPath?: string
  readonly NewGroupName?: string
}

/** Its members are of its identifier, and stay. */
export async function updateGroup(iam: IamContext, scope: Scope, input: UpdateGroupInput): Promise<undefined> {
  return changeIn(iam, scope, (account) => {
    const group = requireGroup(account, input.GroupName)
    const name = input.NewGroupName ?? group.name
    if (name.toLowerCase() !== group.name.toLowerCase()) assertNameFree(account.groups, 'Group', name)
    const { accountId } = account
    const changes = name === group.name ? [] : [{ accountId, remove: group }]
    const renamed = { ...group, name, path: input.NewPath ?? group.path }
    return { changes: [...changes, { accountId, put: renamed }], answer: undefined }
  })
}

export async function deleteGroup(iam: IamContext, scope: Scope, input: GroupInput): Promise<undefined> {
  return changeIn(iam, scope, (account) => {
    const group = requireGroup(account, input.GroupName)
    if (group.attached.length > 0) throw deleteConflict('Cannot delete entity, must detach all policies first.')
    if (group.inline.length > 0) throw deleteConflict('Cannot delete entity, must delete policies first.')
    if (account.membersOf(group).length > 0) {
      throw deleteConflict('Cannot delete entity, must remove users from group first.')
    }
    return { changes: [{ accountId: account.accountId, remove: group }], answer: undefined }
  })
}

export async function addUserToGroup(iam: IamContext, scope: Scope, input: MemberInput): Promise<undefined> {
  return changeIn(iam, scope, (account) => {
    const group = requireGroup(account, input.GroupName)
    const user = requireUser(account, input.UserName)
    const isMember = user.groups.includes(group.id)
    if (!isMember) assertQuota('GroupsPerUser', account.groupsOf(user).length, 10)
    return {
      changes: isMember ? [] : [put(account, { ...user, groups: [...user.groups, group.id] })],
      answer: undefined,
    }
  })
}

export async function removeUserFromGroup(iam: IamContext, scope: Scope, input: MemberInput): Promise<undefined> {
  return changeIn(iam, scope, (account) => {
    const group = requireGroup(account, input.GroupName)
    const user = requireUser(account, input.UserName)
    const groups = user.groups.filter((id) => id !== group.id)
    return { changes: [put(account, { ...user, groups })], answer: undefined }
  })
}
