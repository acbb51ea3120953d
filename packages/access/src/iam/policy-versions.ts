import type { Scope } from '@hashrange/engine'
import { awsManagedPolicies } from '../identities/aws-managed-policies.ts'
import type { PolicyRecord, PolicyVersion } from '../identities/identity-records.ts'
import { describeVersion } from './describe.ts'
import { accountIn, changeIn, nowOf, type IamContext } from './iam-context.ts'
import { deleteConflict, limitExceeded, noSuchEntity } from './iam-errors.ts'
import { requireOwnPolicy } from './own-policy.ts'
import { pageOf, type PageInput } from './page.ts'
import { assertManagedDocument } from './policies.ts'

interface VersionInput {
  readonly PolicyArn: string
  readonly VersionId: string
}

interface CreateVersionInput {
  readonly PolicyArn: string
  readonly PolicyDocument: string
  readonly SetAsDefault?: boolean
}

const mostVersions = 5

export async function createPolicyVersion(
  iam: IamContext,
  scope: Scope,
  input: CreateVersionInput,
): Promise<object> {
  assertManagedDocument(input.PolicyDocument)
  return changeIn(iam, scope, (account) => {
    const policy = requireOwnPolicy(account, input.PolicyArn)
    if (policy.versions.length >= mostVersions) {
      throw limitExceeded(
        `A managed policy can have up to ${mostVersions} versions. Before you create a new version, you must delete an existing version.`,
      )
    }
    const lastVersion = policy.lastVersion + 1
    const nowMs = nowOf(iam)
    const version: PolicyVersion = { id: `v${lastVersion}`, document: input.PolicyDocument, createdAtMs: nowMs }
    const changed: PolicyRecord = {
      ...policy,
      updatedAtMs: nowMs,
      lastVersion,
      versions: [...policy.versions, version],
      defaultVersionId: input.SetAsDefault === true ? version.id : policy.defaultVersionId,
    }
    return {
      changes: [{ accountId: account.accountId, put: changed }],
      answer: { PolicyVersion: describeVersion(version, changed.defaultVersionId, false) },
    }
  })
}

export async function getPolicyVersion(iam: IamContext, scope: Scope, input: VersionInput): Promise<object> {
  const { versions, defaultVersionId } = await versionsOf(iam, scope, input.PolicyArn)
  const version = versions.find(({ id }) => id === input.VersionId)
  if (version === undefined) throw missing(input)
  return { PolicyVersion: describeVersion(version, defaultVersionId, true) }
}

export async function listPolicyVersions(
  iam: IamContext,
  scope: Scope,
  input: { readonly PolicyArn: string } & PageInput,
): Promise<object> {
  const { versions, defaultVersionId } = await versionsOf(iam, scope, input.PolicyArn)
  // The latest comes first.
  const order = new Map(versions.map(({ id }, index) => [id, String(versions.length - index).padStart(4, '0')]))
  const { items, rest } = pageOf(versions, ({ id }) => order.get(id) ?? '', input)
  return { Versions: items.map((version) => describeVersion(version, defaultVersionId, false)), ...rest }
}

export async function setDefaultPolicyVersion(
  iam: IamContext,
  scope: Scope,
  input: VersionInput,
): Promise<undefined> {
  return changeIn(iam, scope, (account) => {
    const policy = requireOwnPolicy(account, input.PolicyArn)
    if (!policy.versions.some(({ id }) => id === input.VersionId)) throw missing(input)
    const put = { ...policy, defaultVersionId: input.VersionId, updatedAtMs: nowOf(iam) }
    return { changes: [{ accountId: account.accountId, put }], answer: undefined }
  })
}

export async function deletePolicyVersion(iam: IamContext, scope: Scope, input: VersionInput): Promise<undefined> {
  return changeIn(iam, scope, (account) => {
    const policy = requireOwnPolicy(account, input.PolicyArn)
    if (!policy.versions.some(({ id }) => id === input.VersionId)) throw missing(input)
    if (policy.defaultVersionId === input.VersionId) {
      throw deleteConflict('Cannot delete the default version of a policy.')
    }
    const put = { ...policy, versions: policy.versions.filter(({ id }) => id !== input.VersionId) }
    return { changes: [{ accountId: account.accountId, put }], answer: undefined }
  })
}

async function versionsOf(
  iam: IamContext,
  scope: Scope,
  arn: string,
): Promise<Pick<PolicyRecord, 'versions' | 'defaultVersionId'>> {
  const account = await accountIn(iam, scope)
  const aws = awsManagedPolicies.get(arn)
  if (aws === undefined) return requireOwnPolicy(account, arn)
  return { versions: [{ id: 'v1', document: aws.document, createdAtMs: 0 }], defaultVersionId: 'v1' }
}

function missing({ PolicyArn: arn, VersionId: id }: VersionInput): Error {
  return noSuchEntity(`Policy ${arn} version ${id} does not exist or is not attachable.`)
}
