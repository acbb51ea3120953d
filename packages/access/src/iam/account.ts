import type { Scope } from '@hashrange/engine'
import { accountIn, type IamContext } from './iam-context.ts'

export async function getAccountSummary(iam: IamContext, scope: Scope): Promise<object> {
  const account = await accountIn(iam, scope)
  const summary = new Map<string, number>([
    ['Users', account.users.size],
    ['Groups', account.groups.size],
    ['Roles', account.roles.size],
    ['Policies', account.policies.size],
    ['AccountAccessKeysPresent', account.keysOf(undefined).length === 0 ? 0 : 1],
    ['AccessKeysPerUserQuota', 2],
    ['VersionsPerPolicyQuota', 5],
    ['PolicySizeQuota', 6144],
  ])
  return { SummaryMap: summary }
}

/** Accounts have no aliases here; tools ask for them to show a name. */
export async function listAccountAliases(): Promise<object> {
  return { AccountAliases: [], IsTruncated: false }
}
