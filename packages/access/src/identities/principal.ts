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

/** What a caller is called, for people. */
export interface CallerNames {
  readonly kind: Caller['kind']
  readonly accountId: string
  readonly arn: string
  /** Of the user or the role; empty for the account itself. */
  readonly name: string
  readonly sessionName?: string
  /** The ARN of whose policies apply, as SimulatePrincipalPolicy takes it. */
  readonly policySourceArn: string
}

export function callerNames(caller: Caller): CallerNames {
  const { kind, accountId } = caller
  const about = { kind, accountId, arn: arnOfCaller(caller) }
  switch (caller.kind) {
    case 'root':
      return { ...about, name: '', policySourceArn: about.arn }
    case 'user':
      return { ...about, name: caller.user.name, policySourceArn: about.arn }
    case 'role':
      return {
        ...about,
        name: caller.role.name,
        sessionName: caller.sessionName,
        policySourceArn: roleArn(accountId, caller.role),
      }
  }
}
