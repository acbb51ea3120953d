import type {
  AccessKeyRecord,
  GroupRecord,
  IdentityRecord,
  PolicyRecord,
  RoleRecord,
  UserRecord,
} from './identity-records.ts'

/** A record that came to be or that is gone. */
export type IdentityChange =
  | { readonly accountId: string; readonly put: IdentityRecord }
  | { readonly accountId: string; readonly remove: IdentityRecord }

/** The identities of one account, by name. */
export class Account {
  readonly accountId: string
  readonly users = new Map<string, UserRecord>()
  readonly usersById = new Map<string, UserRecord>()
  readonly groups = new Map<string, GroupRecord>()
  readonly groupsById = new Map<string, GroupRecord>()
  readonly roles = new Map<string, RoleRecord>()
  readonly policies = new Map<string, PolicyRecord>()
  readonly keys = new Map<string, AccessKeyRecord>()

  constructor(accountId: string) {
    this.accountId = accountId
  }

  keysOf(userId: string | undefined): readonly AccessKeyRecord[] {
    return [...this.keys.values()].filter((key) => key.userId === userId)
  }

  groupsOf(user: UserRecord): readonly GroupRecord[] {
    return user.groups.flatMap((id) => this.groupsById.get(id) ?? [])
  }

  membersOf(group: GroupRecord): readonly UserRecord[] {
    return [...this.users.values()].filter((user) => user.groups.includes(group.id))
  }
}

/** All identities, in memory: what a request is decided by. */
export class IdentityBook {
  /** Counts the changes; the store has the same count. */
  version = 0
  /** The account of whoever runs the server: the first administrator's. */
  homeAccountId: string | undefined
  readonly #accounts = new Map<string, Account>()
  readonly #accountsByKey = new Map<string, Account>()

  account(accountId: string): Account {
    const known = this.#accounts.get(accountId)
    if (known !== undefined) return known
    const account = new Account(accountId)
    this.#accounts.set(accountId, account)
    return account
  }

  /** Accounts that have anything. */
  hasAccount(accountId: string): boolean {
    return this.#accounts.has(accountId)
  }

  findKey(accessKeyId: string): { readonly account: Account; readonly key: AccessKeyRecord } | undefined {
    const account = this.#accountsByKey.get(accessKeyId)
    const key = account?.keys.get(accessKeyId)
    return account === undefined || key === undefined ? undefined : { account, key }
  }

  get hasKeys(): boolean {
    return this.#accountsByKey.size > 0
  }

  apply(change: IdentityChange): void {
    const account = this.account(change.accountId)
    if ('put' in change) this.#put(account, change.put)
    else this.#remove(account, change.remove)
  }

  #put(account: Account, record: IdentityRecord): void {
    switch (record.kind) {
      case 'user':
        account.users.set(record.name, record)
        account.usersById.set(record.id, record)
        break
      case 'group':
        account.groups.set(record.name, record)
        account.groupsById.set(record.id, record)
        break
      case 'role':
        account.roles.set(record.name, record)
        break
      case 'policy':
        account.policies.set(record.name, record)
        break
      case 'key':
        account.keys.set(record.name, record)
        this.#accountsByKey.set(record.name, account)
        break
      case 'use':
      case 'note':
    }
  }

  #remove(account: Account, record: IdentityRecord): void {
    switch (record.kind) {
      case 'user':
        account.users.delete(record.name)
        // What was renamed has its identifier still.
        if (account.usersById.get(record.id)?.name === record.name) account.usersById.delete(record.id)
        break
      case 'group':
        account.groups.delete(record.name)
        if (account.groupsById.get(record.id)?.name === record.name) account.groupsById.delete(record.id)
        break
      case 'role':
        account.roles.delete(record.name)
        break
      case 'policy':
        account.policies.delete(record.name)
        break
      case 'key':
        account.keys.delete(record.name)
        this.#accountsByKey.delete(record.name)
        break
      case 'use':
      case 'note':
    }
  }
}
