import type { Account } from '../identities/identity-book.ts'
import type { PolicyRecord } from '../identities/identity-records.ts'
import { policyArn } from '../identities/principal.ts'
import { noSuchEntity } from './iam-errors.ts'

/** A managed policy that the account has made itself. */
export function requireOwnPolicy(account: Account, arn: string): PolicyRecord {
  const policy = account.policies.get(arn.slice(arn.lastIndexOf('/') + 1))
  if (policy === undefined || policyArn(account.accountId, policy) !== arn) throw policyNotFound(arn)
  return policy
}

function policyNotFound(arn: string): Error {
  return noSuchEntity(`Policy ${arn} was not found.`)
}
