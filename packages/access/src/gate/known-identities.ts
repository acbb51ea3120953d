import type { KnownIdentities } from '../authorization/need.ts'
import type { Account, IdentityBook } from '../identities/identity-book.ts'
import { groupArn, policyArn, roleArn, userArn, arnOfCaller, type Caller } from '../identities/principal.ts'

/** What is known of the users, groups, roles and policies of a caller's account. */
export function knownIdentities(book: IdentityBook, caller: Caller): KnownIdentities {
  const { accountId } = caller
  return {
    get ownArn() {
      return arnOfCaller(caller)
    },
    arnOf(kind, name) {
      const found = recordOf(book.account(accountId), kind, name)
      return found === undefined ? undefined : arns[kind](accountId, found)
    },
    tagsOf(arn) {
      const [, , , , owner, ...rest] = arn.split(':')
      const resource = rest.join(':')
      const kind = resource.split('/', 1)[0]
      if (owner !== accountId || (kind !== 'user' && kind !== 'role' && kind !== 'policy')) return undefined
      const found = recordOf(book.account(accountId), kind, resource.slice(resource.lastIndexOf('/') + 1))
      if (found === undefined || !('tags' in found)) return undefined
      return Object.fromEntries(found.tags.map(({ key, value }) => [key, value]))
    },
  }
}

const arns = { user: userArn, group: groupArn, role: roleArn, policy: policyArn } as const

function recordOf(account: Account, kind: keyof typeof arns, name: string) {
  switch (kind) {
    case 'user':
      return account.users.get(name)
    case 'group':
      return account.groups.get(name)
    case 'role':
      return account.roles.get(name)
    case 'policy':
      return account.policies.get(name)
  }
}
