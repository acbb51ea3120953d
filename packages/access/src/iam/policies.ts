import type { Scope } from '@hashrange/engine'
import { awsManagedArn, awsManagedPolicies, type AwsManagedPolicy } from '../identities/aws-managed-policies.ts'
import type { Account } from '../identities/identity-book.ts'
import type { PolicyRecord } from '../identities/identity-records.ts'
import { policyArn } from '../identities/principal.ts'
import { newId } from '../secrets/new-credentials.ts'
import { describedTags } from './describe.ts'
import { assertQuota } from './holders.ts'
import { holdersIn } from './entities-of-policy.ts'
import { accountIn, changeIn, nowOf, type IamContext } from './iam-context.ts'
import { alreadyExists, assertPolicy, deleteConflict, limitExceeded } from './iam-errors.ts'
import { requireOwnPolicy } from './own-policy.ts'
import { isBelow, pageOf, type PageInput } from './page.ts'
import { readTags, type TagInput } from './tags.ts'

interface CreatePolicyInput {
  readonly PolicyName: string
  readonly PolicyDocument: string
  readonly Path?: string
  readonly Description?: string
  readonly Tags?: readonly TagInput[]
}

interface ArnInput {
  readonly PolicyArn: string
}

const mostCharacters = 6144

/** Blanks do not count. */
export function assertManagedDocument(document: string): void {
  assertPolicy(document, 'identity', true)
  if (document.replaceAll(/\s/g, '').length > mostCharacters) {
    throw limitExceeded(`Cannot exceed quota for PolicySize: ${mostCharacters}`)
  }
}

export async function createPolicy(iam: IamContext, scope: Scope, input: CreatePolicyInput): Promise<object> {
  assertManagedDocument(input.PolicyDocument)
  const id = newId('ANPA', scope.accountId)
  return changeIn(iam, scope, (account) => {
    const name = input.PolicyName
    if ([...account.policies.keys()].some((taken) => taken.toLowerCase() === name.toLowerCase())) {
      throw alreadyExists(`A policy called ${name} already exists. Duplicate names are not allowed.`)
    }
    assertQuota('PoliciesPerAccount', account.policies.size, 1500)
    const createdAtMs = nowOf(iam)
    const policy: PolicyRecord = {
      kind: 'policy',
      name,
      path: input.Path ?? '/',
      id,
      createdAtMs,
      updatedAtMs: createdAtMs,
      description: input.Description,
      tags: readTags(input.Tags),
      versions: [{ id: 'v1', document: input.PolicyDocument, createdAtMs }],
      defaultVersionId: 'v1',
      lastVersion: 1,
    }
    const { accountId } = account
    return { changes: [{ accountId, put: policy }], answer: { Policy: describePolicy(account, policy) } }
  })
}

export async function getPolicy(iam: IamContext, scope: Scope, { PolicyArn: arn }: ArnInput): Promise<object> {
  const account = await accountIn(iam, scope)
  const aws = awsManagedPolicies.get(arn)
  if (aws !== undefined) return { Policy: describeAwsPolicy(account, aws) }
  return { Policy: describePolicy(account, requireOwnPolicy(account, arn), true) }
}

interface ListPoliciesInput extends PageInput {
  readonly Scope?: 'All' | 'AWS' | 'Local'
  readonly OnlyAttached?: boolean
  readonly PolicyUsageFilter?: 'PermissionsPolicy' | 'PermissionsBoundary'
}

export async function listPolicies(iam: IamContext, scope: Scope, input: ListPoliciesInput): Promise<object> {
  const account = await accountIn(iam, scope)
  const { Scope: whose = 'All', OnlyAttached: onlyAttached = false, PolicyUsageFilter: usage } = input
  const own = whose === 'AWS' ? [] : [...account.policies.values()].filter(isBelow(input))
  const aws = whose === 'Local' ? [] : [...awsManagedPolicies.values()].filter(isBelow(input))
  const all = [
    ...own.map((policy) => ({ arn: policyArn(account.accountId, policy), about: describePolicy(account, policy) })),
    ...aws.map((policy) => ({ arn: awsManagedArn(policy), about: describeAwsPolicy(account, policy) })),
  ]
  const wanted = all.filter(({ arn }) => {
    const { attached, bounded } = holdersIn(account, arn)
    if (usage === 'PermissionsBoundary') return bounded.length > 0
    return !onlyAttached || attached.length > 0
  })
  const { items, rest } = pageOf(wanted, ({ arn }) => arn, input)
  return { Policies: items.map(({ about }) => about), ...rest }
}

export async function deletePolicy(
  iam: IamContext,
  scope: Scope,
  { PolicyArn: arn }: ArnInput,
): Promise<undefined> {
  return changeIn(iam, scope, (account) => {
    const policy = requireOwnPolicy(account, arn)
    const { attached, bounded } = holdersIn(account, arn)
    if (attached.length + bounded.length > 0) {
      throw deleteConflict('Cannot delete a policy attached to entities.')
    }
    if (policy.versions.length > 1) {
      throw deleteConflict(
        "This policy has more than one version. Before you delete a policy, you must delete the policy's versions. The default version is deleted with the policy.",
      )
    }
    return { changes: [{ accountId: account.accountId, remove: policy }], answer: undefined }
  })
}

function describePolicy(account: Account, policy: PolicyRecord, isWhole = false): object {
  const arn = policyArn(account.accountId, policy)
  return {
    PolicyName: policy.name,
    PolicyId: policy.id,
    Arn: arn,
    Path: policy.path,
    DefaultVersionId: policy.defaultVersionId,
    ...usesOf(account, arn),
    IsAttachable: true,
    ...(isWhole && { Description: policy.description }),
    CreateDate: new Date(policy.createdAtMs),
    UpdateDate: new Date(policy.updatedAtMs),
    Tags: describedTags(policy.tags),
  }
}

function describeAwsPolicy(account: Account, policy: AwsManagedPolicy): object {
  const arn = awsManagedArn(policy)
  return {
    PolicyName: policy.name,
    PolicyId: `ANPA${Buffer.from(policy.name).toString('hex').toUpperCase().padEnd(17, 'A').slice(0, 17)}`,
    Arn: arn,
    Path: policy.path,
    DefaultVersionId: 'v1',
    ...usesOf(account, arn),
    IsAttachable: true,
    Description: policy.description,
    CreateDate: new Date(0),
    UpdateDate: new Date(0),
  }
}

function usesOf(account: Account, arn: string): object {
  const { attached, bounded } = holdersIn(account, arn)
  return { AttachmentCount: attached.length, PermissionsBoundaryUsageCount: bounded.length }
}
