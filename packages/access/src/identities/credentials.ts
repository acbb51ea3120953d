import type { Principal } from '../policies/principal.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { principalOf } from './caller-policies.ts'
import type { IdentityBook } from './identity-book.ts'
import type { AccessKeyRecord } from './identity-records.ts'
import type { Caller } from './principal.ts'
import { readSessionToken, type Session } from './session-token.ts'

/** A secret, and who has it. */
export interface Credential {
  readonly secret: string
  readonly caller: Caller
  readonly principal: Principal
}

type Found = Omit<Credential, 'principal'>

const mostKept = 1000

/** Finds the secret and the holder of an access key. What it took to find and decrypt them is remembered until an identity changes. */
export class Credentials {
  readonly #box: SecretBox
  readonly #secrets = new Map<string, { readonly record: AccessKeyRecord; readonly secret: string }>()
  readonly #sessions = new Map<string, Session>()
  /** What was found, until an identity changes. */
  readonly #found = new Map<string, Credential>()
  #book: IdentityBook | undefined
  #version = -1

  constructor(box: SecretBox) {
    this.#box = box
  }

  /** Nothing if there is no such key, or it is not active, or the session token is not its own. */
  find(book: IdentityBook, accessKeyId: string, securityToken: string | undefined): Credential | undefined {
    if (this.#book !== book || this.#version !== book.version || this.#found.size >= mostKept) {
      this.#found.clear()
      this.#book = book
      this.#version = book.version
    }
    const name = securityToken ?? accessKeyId
    const known = this.#found.get(name)
    if (known !== undefined && known.caller.accessKeyId === accessKeyId) return known
    const found =
      securityToken === undefined
        ? this.#findKey(book, accessKeyId)
        : this.#findSession(book, accessKeyId, securityToken)
    if (found === undefined) return undefined
    const credential = { ...found, principal: principalOf(found.caller) }
    this.#found.set(name, credential)
    return credential
  }

  #findKey(book: IdentityBook, accessKeyId: string): Found | undefined {
    const found = book.findKey(accessKeyId)
    if (found === undefined || found.key.status !== 'Active') return undefined
    const { account, key } = found
    const secret = this.#secretOf(key)
    if (secret === undefined) return undefined
    const { accountId } = account
    if (key.userId === undefined) return { secret, caller: { kind: 'root', accountId, accessKeyId } }
    const user = account.usersById.get(key.userId)
    return user === undefined ? undefined : { secret, caller: { kind: 'user', accountId, accessKeyId, user } }
  }

  #findSession(book: IdentityBook, accessKeyId: string, token: string): Found | undefined {
    const session = this.#sessionOf(token)
    if (session === undefined || session.accessKeyId !== accessKeyId) return undefined
    const { accountId, secret, userId, roleName, sessionName = '' } = session
    const account = book.account(accountId)
    const role = roleName === undefined ? undefined : account.roles.get(roleName)
    if (roleName !== undefined) {
      // Another role of the same name is not the one that was assumed.
      if (role === undefined || role.id !== session.roleId) return undefined
      return { secret, caller: { kind: 'role', accountId, accessKeyId, role, sessionName, session } }
    }
    if (userId === undefined) return { secret, caller: { kind: 'root', accountId, accessKeyId, session } }
    const user = account.usersById.get(userId)
    return user === undefined
      ? undefined
      : { secret, caller: { kind: 'user', accountId, accessKeyId, user, session } }
  }

  #secretOf(record: AccessKeyRecord): string | undefined {
    const known = this.#secrets.get(record.name)
    if (known?.record === record) return known.secret
    const secret = this.#box.open(record.secret, record.name)
    if (secret === undefined) return undefined
    if (this.#secrets.size >= mostKept) this.#secrets.clear()
    this.#secrets.set(record.name, { record, secret })
    return secret
  }

  #sessionOf(token: string): Session | undefined {
    const known = this.#sessions.get(token)
    if (known !== undefined) return known
    const session = readSessionToken(this.#box, token)
    if (session === undefined) return undefined
    if (this.#sessions.size >= mostKept) this.#sessions.clear()
    this.#sessions.set(token, session)
    return session
  }
}
