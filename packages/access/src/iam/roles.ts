import type { Scope } from '@hashrange/engine'
import type { RoleRecord } from '../identities/identity-records.ts'
import { newId } from '../secrets/new-credentials.ts'
import { assertBoundary } from './boundaries.ts'
import { describeRole } from './describe.ts'
import { assertNameFree, put, requireRole } from './holders.ts'
import { accountIn, changeIn, nowOf, type IamContext } from './iam-context.ts'
import { assertPolicy, deleteConflict, limitExceeded } from './iam-errors.ts'
import { isBelow, pageOf, type PageInput } from './page.ts'
import { readTags, type TagInput } from './tags.ts'

interface RoleInput {
  readonly RoleName: string
}

interface CreateRoleInput extends RoleInput {
  readonly AssumeRolePolicyDocument: string
  readonly Path?: string
  readonly Description?: string
  readonly MaxSessionDuration?: number
  readonly PermissionsBoundary?: string
  readonly Tags?: readonly TagInput[]
}

export async function createRole(iam: IamContext, scope: Scope, input: CreateRoleInput): Promise<object> {
  assertTrust(input.AssumeRolePolicyDocument)
  const id = newId('AROA', scope.accountId)
  return changeIn(iam, scope, (account, book) => {
    assertNameFree(account.roles, 'Role', input.RoleName)
    assertBoundary(book, input.PermissionsBoundary)
    const role: RoleRecord = {
      kind: 'role',
      name: input.RoleName,
      path: input.Path ?? '/',
      id,
      createdAtMs: nowOf(iam),
      inline: [],
      attached: [],
      tags: readTags(input.Tags),
      boundary: input.PermissionsBoundary,
      description: input.Description,
      maxSessionSeconds: input.MaxSessionDuration ?? 3600,
      trust: input.AssumeRolePolicyDocument,
    }
    return { changes: [put(account, role)], answer: { Role: describeRole(account.accountId, role, true) } }
  })
}

export async function getRole(iam: IamContext, scope: Scope, input: RoleInput): Promise<object> {
  const account = await accountIn(iam, scope)
  const role = requireRole(account, input.RoleName)
  const use = await iam.identities.lastUse(account.accountId, role.id)
  return { Role: describeRole(account.accountId, role, true, use) }
}

export async function listRoles(iam: IamContext, scope: Scope, input: PageInput): Promise<object> {
  const account = await accountIn(iam, scope)
  const { items, rest } = pageOf([...account.roles.values()].filter(isBelow(input)), ({ name }) => name, input)
  return { Roles: items.map((role) => describeRole(account.accountId, role)), ...rest }
}

interface UpdateRoleInput extends RoleInput {
  readonly Description?: string
  readonly MaxSessionDuration?: number
}

export async function updateRole(iam: IamContext, scope: Scope, input: UpdateRoleInput): Promise<object> {
  return changeIn(iam, scope, (account) => {
    const role = requireRole(account, input.RoleName)
    const maxSessionSeconds = input.MaxSessionDuration ?? role.maxSessionSeconds
    const changed = { ...role, description: input.Description ?? role.description, maxSessionSeconds }
    return { changes: [put(account, changed)], answer: {} }
  })
}

export async function updateRoleDescription(
  iam: IamContext,
  scope: Scope,
  input: RoleInput & { readonly Description: string },
): Promise<object> {
  return changeIn(iam, scope, (account) => {
    const role = { ...requireRole(account, input.RoleName), description: input.Description }
    return { changes: [put(account, role)], answer: { Role: describeRole(account.accountId, role, true) } }
  })
}

export async function updateAssumeRolePolicy(
  iam: IamContext,
  scope: Scope,
  input: RoleInput & { readonly PolicyDocument: string },
): Promise<undefined> {
  assertTrust(input.PolicyDocument)
  return changeIn(iam, scope, (account) => {
    const role = { ...requireRole(account, input.RoleName), trust: input.PolicyDocument }
    return { changes: [put(account, role)], answer: undefined }
  })
}

export async function deleteRole(iam: IamContext, scope: Scope, input: RoleInput): Promise<undefined> {
  return changeIn(iam, scope, (account) => {
    const role = requireRole(account, input.RoleName)
    if (role.attached.length > 0) throw deleteConflict('Cannot delete entity, must detach all policies first.')
    if (role.inline.length > 0) throw deleteConflict('Cannot delete entity, must delete policies first.')
    return { changes: [{ accountId: account.accountId, remove: role }], answer: undefined }
  })
}

/** There are no instances here; infrastructure tools ask before they delete a role. */
export async function listInstanceProfilesForRole(
  iam: IamContext,
  scope: Scope,
  input: RoleInput,
): Promise<object> {
  requireRole(await accountIn(iam, scope), input.RoleName)
  return { InstanceProfiles: [], IsTruncated: false }
}

const mostTrustCharacters = 2048

/** Blanks do not count. */
function assertTrust(document: string): void {
  assertPolicy(document, 'trust')
  if (document.replaceAll(/\s/g, '').length > mostTrustCharacters) {
    throw limitExceeded(`Cannot exceed quota for ACLSizePerRole: ${mostTrustCharacters}`)
  }
}
