import type { ContextValue } from '../policies/context-values.ts'
import type { AskedOperation, Need, NeedsOf } from './need.ts'
import { sentTags, sentText, sentTexts } from './sent-member.ts'
import { requestTagKeys, removedTagKeys } from './tag-keys.ts'

/** What IAM needs: each operation is about one user, group, role or policy, or about all of them. */
export const iamNeeds: Readonly<Record<string, NeedsOf>> = {
  ...about('user', 'UserName', [
    'AttachUserPolicy',
    'CreateAccessKey',
    'CreateUser',
    'DeleteAccessKey',
    'DeleteUser',
    'DeleteUserPermissionsBoundary',
    'DeleteUserPolicy',
    'DetachUserPolicy',
    'GetUser',
    'GetUserPolicy',
    'ListAccessKeys',
    'ListAttachedUserPolicies',
    'ListGroupsForUser',
    'ListUserPolicies',
    'ListUserTags',
    'PutUserPermissionsBoundary',
    'PutUserPolicy',
    'TagUser',
    'UntagUser',
    'UpdateAccessKey',
    'UpdateUser',
  ]),
  // It names a key, which may be any user's.
  GetAccessKeyLastUsed: (asked) => [
    need(asked, 'GetAccessKeyLastUsed', `arn:aws:iam::${asked.scope.accountId}:user/*`),
  ],
  ...about('group', 'GroupName', [
    'AddUserToGroup',
    'AttachGroupPolicy',
    'CreateGroup',
    'DeleteGroup',
    'DeleteGroupPolicy',
    'DetachGroupPolicy',
    'GetGroup',
    'GetGroupPolicy',
    'ListAttachedGroupPolicies',
    'ListGroupPolicies',
    'PutGroupPolicy',
    'RemoveUserFromGroup',
    'UpdateGroup',
  ]),
  ...about('role', 'RoleName', [
    'AttachRolePolicy',
    'CreateRole',
    'DeleteRole',
    'DeleteRolePermissionsBoundary',
    'DeleteRolePolicy',
    'DetachRolePolicy',
    'GetRole',
    'GetRolePolicy',
    'ListAttachedRolePolicies',
    'ListInstanceProfilesForRole',
    'ListRolePolicies',
    'ListRoleTags',
    'PutRolePermissionsBoundary',
    'PutRolePolicy',
    'TagRole',
    'UntagRole',
    'UpdateAssumeRolePolicy',
    'UpdateRole',
    'UpdateRoleDescription',
  ]),
  CreatePolicy: (asked) => [
    need(asked, 'CreatePolicy', newArn(asked, 'policy', sentText(asked.body, 'PolicyName'))),
  ],
  ...given('PolicyArn', [
    'CreatePolicyVersion',
    'DeletePolicy',
    'DeletePolicyVersion',
    'GetPolicy',
    'GetPolicyVersion',
    'ListEntitiesForPolicy',
    'ListPolicyTags',
    'ListPolicyVersions',
    'SetDefaultPolicyVersion',
    'TagPolicy',
    'UntagPolicy',
  ]),
  ...given('PolicySourceArn', ['GetContextKeysForPrincipalPolicy', 'SimulatePrincipalPolicy']),
  ...listing({ ListUsers: 'user', ListGroups: 'group', ListRoles: 'role', ListPolicies: 'policy' }),
  ...onEverything([
    'GetAccountAuthorizationDetails',
    'GetAccountSummary',
    'GetContextKeysForCustomPolicy',
    'ListAccountAliases',
    'SimulateCustomPolicy',
  ]),
}

/** What STS needs. Who somebody is, and a session of one's own, are nobody's to refuse. */
export const stsNeeds: Readonly<Record<string, NeedsOf>> = {
  AssumeRole: ({ body }) => {
    const tags = requestTagKeys(sentTags(body))
    const resource = sentText(body, 'RoleArn') ?? '*'
    const keys = new Map<string, ContextValue>()
    for (const [key, member] of assumeRoleKeys) {
      const value = sentText(body, member)
      if (value !== undefined) keys.set(key, value)
    }
    const transitive = sentTexts(body, 'TransitiveTagKeys')
    if (transitive.length > 0) keys.set('sts:transitivetagkeys', transitive)
    const own = { get: (key: string) => keys.get(key) ?? tags?.get(key) }
    const assume: Need = { action: 'sts:AssumeRole', resource, keys: own }
    return tags === undefined ? [assume] : [assume, { action: 'sts:TagSession', resource, keys: own }]
  },
  GetAccessKeyInfo: () => [{ action: 'sts:GetAccessKeyInfo', resource: '*' }],
  GetCallerIdentity: () => [],
  GetSessionToken: () => [],
}

const assumeRoleKeys = [
  ['sts:externalid', 'ExternalId'],
  ['sts:rolesessionname', 'RoleSessionName'],
  ['aws:sourceidentity', 'SourceIdentity'],
  ['sts:sourceidentity', 'SourceIdentity'],
] as const

type Needs = Readonly<Record<string, NeedsOf>>
type Kind = 'user' | 'group' | 'role' | 'policy'

function about(kind: Kind, member: string, operations: readonly string[]): Needs {
  return each(operations, (name) => (asked) => {
    const named = sentText(asked.body, member)
    const resource =
      name.startsWith('Create') && name !== 'CreateAccessKey'
        ? newArn(asked, kind, named)
        : arnOf(asked, kind, named)
    return [need(asked, name, resource)]
  })
}

function given(member: string, operations: readonly string[]): Needs {
  return each(operations, (name) => (asked) => [need(asked, name, sentText(asked.body, member) ?? '*')])
}

function listing(kinds: Readonly<Record<string, Kind>>): Needs {
  return each(Object.keys(kinds), (name) => (asked) => {
    const prefix = sentText(asked.body, 'PathPrefix') ?? '/'
    return [need(asked, name, `arn:aws:iam::${asked.scope.accountId}:${kinds[name]}${prefix}`)]
  })
}

function onEverything(operations: readonly string[]): Needs {
  return each(operations, (name) => (asked) => [need(asked, name, '*')])
}

function need(asked: AskedOperation, name: string, resource: string): Need {
  const { body } = asked
  const tags = name.startsWith('Untag')
    ? removedTagKeys(sentTexts(body, 'TagKeys'))
    : requestTagKeys(sentTags(body))
  const own = new Map<string, string>()
  for (const [key, member] of [
    ['iam:policyarn', 'PolicyArn'],
    ['iam:permissionsboundary', 'PermissionsBoundary'],
  ] as const) {
    const value = sentText(body, member)
    if (value !== undefined) own.set(key, value)
  }
  const resourceTags = asked.identities?.tagsOf(resource)
  return {
    action: `iam:${name}`,
    resource,
    ...(resourceTags && { resourceTags }),
    keys: { get: (key) => own.get(key) ?? tags?.get(key) },
  }
}

/** What is about to be made has the path that the request gives it. */
function newArn({ scope, body }: AskedOperation, kind: Kind, name: string | undefined): string {
  return `arn:aws:iam::${scope.accountId}:${kind}${sentText(body, 'Path') ?? '/'}${name ?? '*'}`
}

/** What exists has the path that it was made with. A user who names nobody means itself. */
function arnOf({ scope, identities }: AskedOperation, kind: Kind, name: string | undefined): string {
  if (name === undefined) return identities?.ownArn ?? '*'
  return identities?.arnOf(kind, name) ?? `arn:aws:iam::${scope.accountId}:${kind}/${name}`
}

function each(operations: readonly string[], needsOf: (name: string) => NeedsOf): Needs {
  return Object.fromEntries(operations.map((name) => [name, needsOf(name)]))
}
