import type { RoleRecord, Tag, UserRecord } from './identity-records.ts'

/** Who makes a request. */
export type Caller = RootCaller | UserCaller | RoleCaller

interface WithAccount {
  readonly accountId: string
  readonly accessKeyId: string
  /** Of temporary credentials. */
  readonly session?: SessionFacts | undefined
}

export interface SessionFacts {
  readonly issuedAtMs: number
  readonly expiresAtMs: number
  /** The documents that the session was narrowed to. */
  readonly policies: readonly string[]
  /** Managed policies that it was narrowed to as well. */
  readonly policyArns: readonly string[]
  readonly tags: readonly Tag[]
  readonly transitiveTagKeys: readonly string[]
  readonly sourceIdentity?: string | undefined
}

/** The account itself. */
export interface RootCaller extends WithAccount {
  readonly kind: 'root'
}

export interface UserCaller extends WithAccount {
  readonly kind: 'user'
  readonly user: UserRecord
}

/** Whoever has assumed a role. */
export interface RoleCaller extends WithAccount {
  readonly kind: 'role'
  readonly role: RoleRecord
  readonly sessionName: string
}

export function arnOfCaller(caller: Caller): string {
  const { accountId } = caller
  switch (caller.kind) {
    case 'root':
      return rootArn(accountId)
    case 'user':
      return userArn(accountId, caller.user)
    case 'role':
      return `arn:aws:sts::${accountId}:assumed-role/${caller.role.name}/${caller.sessionName}`
  }
}

/** As GetCallerIdentity and `aws:userid` say it. */
export function userIdOfCaller(caller: Caller): string {
  switch (caller.kind) {
    case 'root':
      return caller.accountId
    case 'user':
      return caller.user.id
    case 'role':
      return `${caller.role.id}:${caller.sessionName}`
  }
}

export function rootArn(accountId: string): string {
  return `arn:aws:iam::${accountId}:root`
}

export function userArn(accountId: string, { path, name }: Pick<UserRecord, 'path' | 'name'>): string {
  return `arn:aws:iam::${accountId}:user${path}${name}`
}

export function groupArn(accountId: string, { path, name }: Pick<UserRecord, 'path' | 'name'>): string {
  return `arn:aws:iam::${accountId}:group${path}${name}`
}

export function roleArn(accountId: string, { path, name }: Pick<RoleRecord, 'path' | 'name'>): string {
  return `arn:aws:iam::${accountId}:role${path}${name}`
}

export function policyArn(accountId: string, { path, name }: Pick<RoleRecord, 'path' | 'name'>): string {
  return `arn:aws:iam::${accountId}:policy${path}${name}`
}
