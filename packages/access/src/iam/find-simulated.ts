import type { IdentityBook } from '../identities/identity-book.ts'
import { groupArn, roleArn, userArn, type Caller } from '../identities/principal.ts'
import { invalidInput, noSuchEntity } from './iam-errors.ts'

/** Whoever an ARN names, as if it asked: a user, a role, or a member of a group that has nothing else. */
export function findSimulated(book: IdentityBook, accountId: string, arn: string): Caller {
  const [, , , , owner = '', ...rest] = arn.split(':')
  const resource = rest.join(':')
  const kind = resource.split('/', 1)[0]
  const name = resource.slice(resource.lastIndexOf('/') + 1)
  if (owner !== accountId || kind === undefined || !['user', 'group', 'role'].includes(kind)) {
    throw invalidInput(`Invalid Entity Arn: ${arn} does not clearly define entity type and name.`)
  }
  const account = book.account(accountId)
  const accessKeyId = ''
  const user = account.users.get(name)
  if (kind === 'user' && user !== undefined && userArn(accountId, user) === arn) {
    return { kind: 'user', accountId, accessKeyId, user }
  }
  const role = account.roles.get(name)
  if (kind === 'role' && role !== undefined && roleArn(accountId, role) === arn) {
    return { kind: 'role', accountId, accessKeyId, role, sessionName: 'simulated' }
  }
  const group = account.groups.get(name)
  if (kind === 'group' && group !== undefined && groupArn(accountId, group) === arn) {
    return {
      kind: 'user',
      accountId,
      accessKeyId,
      user: { ...group, kind: 'user', tags: [], groups: [] },
    }
  }
  throw noSuchEntity(`The ${kind} with name ${name} cannot be found.`)
}
