import type { Account, IdentityChange } from '../identities/identity-book.ts'
import type { GroupRecord, RoleRecord, UserRecord } from '../identities/identity-records.ts'
import { alreadyExists, limitExceeded, noSuchEntity } from './iam-errors.ts'

/** What policies can be attached to. */
export type Holder = UserRecord | GroupRecord | RoleRecord
export type HolderKind = Holder['kind']

/** The name of a holder, under the member that its kind has for it. */
export interface HolderInput {
  readonly UserName?: string
  readonly GroupName?: string
  readonly RoleName?: string
}

export function requireUser(account: Account, name: string): UserRecord {
  return require(account.users, 'user', name)
}

export function requireGroup(account: Account, name: string): GroupRecord {
  return require(account.groups, 'group', name)
}

export function requireRole(account: Account, name: string): RoleRecord {
  return require(account.roles, 'role', name)
}

export function requireHolder(account: Account, kind: HolderKind, input: HolderInput): Holder {
  switch (kind) {
    case 'user':
      return requireUser(account, input.UserName ?? '')
    case 'group':
      return requireGroup(account, input.GroupName ?? '')
    case 'role':
      return requireRole(account, input.RoleName ?? '')
  }
}

/** A name of these in the answer. */
export function namedAs(kind: HolderKind, name: string): HolderInput {
  return kind === 'user' ? { UserName: name } : kind === 'group' ? { GroupName: name } : { RoleName: name }
}

/** AWS's quotas of an account, as they are unless it asks for more. */
const quotas = { User: 5000, Group: 300, Role: 1000 } as const

/** Names differ by more than their case. */
export function assertNameFree(all: ReadonlyMap<string, unknown>, word: keyof typeof quotas, name: string): void {
  const lower = name.toLowerCase()
  for (const taken of all.keys()) {
    if (taken.toLowerCase() === lower) throw alreadyExists(`${word} with name ${name} already exists.`)
  }
  assertQuota(`${word}sPerAccount`, all.size, quotas[word])
}

/** Throws if there can be no more of what there is this much of. */
export function assertQuota(what: string, count: number, most: number): void {
  if (count >= most) throw limitExceeded(`Cannot exceed quota for ${what}: ${most}`)
}

export function put({ accountId }: Account, record: Holder): IdentityChange {
  return { accountId, put: record }
}

function require<T>(all: ReadonlyMap<string, T>, word: string, name: string): T {
  const found = all.get(name)
  if (found === undefined) throw noSuchEntity(`The ${word} with name ${name} cannot be found.`)
  return found
}
