import { awsManagedPolicies } from './aws-managed-policies.ts'
import type { IdentityBook } from './identity-book.ts'
import type { PolicyRecord } from './identity-records.ts'
import { policyArn } from './principal.ts'

/** The document of a managed policy as it is in force; nothing if there is no such policy. */
export function documentOf(book: IdentityBook, arn: string): string | undefined {
  const aws = awsManagedPolicies.get(arn)
  if (aws !== undefined) return aws.document
  const policy = findPolicy(book, arn)
  return policy?.versions.find(({ id }) => id === policy.defaultVersionId)?.document
}

/** A policy that an account has made. */
function findPolicy(book: IdentityBook, arn: string): PolicyRecord | undefined {
  const [, , service, , accountId = '', ...rest] = arn.split(':')
  const resource = rest.join(':')
  if (service !== 'iam' || !resource.startsWith('policy/') || !book.hasAccount(accountId)) return undefined
  const policy = book.account(accountId).policies.get(resource.slice(resource.lastIndexOf('/') + 1))
  return policy !== undefined && policyArn(accountId, policy) === arn ? policy : undefined
}
