import { MalformedPolicy } from '../policies/malformed-policy.ts'
import { parsePolicy, type PolicyKind } from '../policies/parse-policy.ts'
import { DeclarationError } from './declaration-error.ts'
import type { DeclaredAccount, DeclaredIdentities } from './declared-identities.ts'

/** Parsed JSON of any shape, as a declaration of identities. Throws a DeclarationError that says where it is wrong. */
export function readDeclaration(value: unknown): DeclaredIdentities {
  const top = recordOf(value, 'the file')
  assertMembers(top, 'the file', ['account', 'accounts', ...accountMembers])
  if (top['account'] !== undefined) accountIdOf(top['account'], 'account')
  const accounts = optionalRecord(top['accounts'], 'accounts')
  for (const [id, account] of Object.entries(accounts)) {
    accountIdOf(id, `accounts.${id}`)
    const members = recordOf(account, `accounts.${id}`)
    assertMembers(members, `accounts.${id}`, accountMembers)
    checkAccount(members, `accounts.${id}.`)
  }
  checkAccount(top, '')
  return top
}

const accountMembers: readonly (keyof DeclaredAccount)[] = ['users', 'groups', 'roles', 'policies']
const holderMembers = ['path', 'policies', 'attached']

function checkAccount(account: Readonly<Record<string, unknown>>, prefix: string): void {
  each(account['policies'], `${prefix}policies`, (policy, where) => {
    assertMembers(policy, where, ['path', 'description', 'document'])
    checkPath(policy['path'], `${where}.path`)
    optionalText(policy['description'], `${where}.description`)
    documentText(policy['document'], `${where}.document`, 'identity')
  })
  each(account['groups'], `${prefix}groups`, (group, where) => {
    assertMembers(group, where, holderMembers)
    checkHolder(group, where)
  })
  each(account['roles'], `${prefix}roles`, (role, where) => {
    assertMembers(role, where, [...holderMembers, 'trust', 'description', 'maxSessionSeconds', 'tags', 'boundary'])
    checkHolder(role, where)
    documentText(role['trust'], `${where}.trust`, 'trust')
    optionalText(role['description'], `${where}.description`)
    const seconds = role['maxSessionSeconds'] ?? 3600
    if (typeof seconds !== 'number' || seconds < 3600 || seconds > 43_200) {
      throw new DeclarationError(`${where}.maxSessionSeconds`, 'It must be a number from 3600 to 43200.')
    }
  })
  each(account['users'], `${prefix}users`, (user, where) => {
    assertMembers(user, where, [...holderMembers, 'groups', 'tags', 'boundary', 'accessKeys'])
    checkHolder(user, where)
    texts(user['groups'], `${where}.groups`)
    checkKeys(user['accessKeys'], `${where}.accessKeys`)
  })
}

function checkHolder(holder: Readonly<Record<string, unknown>>, where: string): void {
  checkPath(holder['path'], `${where}.path`)
  texts(holder['attached'], `${where}.attached`)
  optionalText(holder['boundary'], `${where}.boundary`)
  for (const [name, document] of Object.entries(optionalRecord(holder['policies'], `${where}.policies`))) {
    nameOf(name, `${where}.policies.${name}`)
    documentText(document, `${where}.policies.${name}`, 'identity')
  }
  for (const [key, value] of Object.entries(optionalRecord(holder['tags'], `${where}.tags`))) {
    if (typeof value !== 'string') throw new DeclarationError(`${where}.tags.${key}`, 'It must be a text.')
  }
}

function checkKeys(value: unknown, where: string): void {
  if (value === undefined) return
  if (!Array.isArray(value) || value.length > 2) {
    throw new DeclarationError(where, 'It must be a list of at most two access keys.')
  }
  for (const [index, key] of value.entries()) {
    const at = `${where}[${index}]`
    const members = recordOf(key, at)
    assertMembers(members, at, ['id', 'secret', 'status'])
    const { id, secret, status = 'Active' } = members
    if (typeof id !== 'string' || !/^\w{3,128}$/.test(id)) {
      throw new DeclarationError(`${at}.id`, 'It must be 3 to 128 letters and digits.')
    }
    if (typeof secret !== 'string' || secret.length < 8 || secret.length > 128) {
      throw new DeclarationError(`${at}.secret`, 'It must be a text of 8 to 128 characters.')
    }
    if (status !== 'Active' && status !== 'Inactive') {
      throw new DeclarationError(`${at}.status`, 'It must be Active or Inactive.')
    }
  }
}

/** The text of a policy document that is given as an object or as text. */
export function documentText(value: unknown, where: string, kind: PolicyKind): string {
  if (value === undefined) throw new DeclarationError(where, 'It is missing.')
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  try {
    parsePolicy(text, kind)
    return text
  } catch (error) {
    if (error instanceof MalformedPolicy) throw new DeclarationError(where, error.message)
    throw error
  }
}

function each(
  value: unknown,
  where: string,
  check: (member: Readonly<Record<string, unknown>>, where: string) => void,
): void {
  for (const [name, member] of Object.entries(optionalRecord(value, where))) {
    nameOf(name, `${where}.${name}`)
    check(recordOf(member, `${where}.${name}`), `${where}.${name}`)
  }
}

function recordOf(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new DeclarationError(where, 'It must be an object.')
}

function optionalRecord(value: unknown, where: string): Readonly<Record<string, unknown>> {
  return value === undefined ? {} : recordOf(value, where)
}

function optionalText(value: unknown, where: string): void {
  if (value !== undefined && typeof value !== 'string') throw new DeclarationError(where, 'It must be a text.')
}

function texts(value: unknown, where: string): void {
  if (value === undefined || (Array.isArray(value) && value.every((text) => typeof text === 'string'))) return
  throw new DeclarationError(where, 'It must be a list of texts.')
}

function checkPath(value: unknown, where: string): void {
  if (value === undefined || (typeof value === 'string' && /^\/(?:[!-~]{1,510}\/)?$/.test(value))) return
  throw new DeclarationError(where, 'A path begins and ends with a slash.')
}

function accountIdOf(value: unknown, where: string): void {
  if (typeof value === 'string' && /^\d{12}$/.test(value)) return
  throw new DeclarationError(where, 'An account is a text of 12 digits.')
}

function nameOf(name: string, where: string): void {
  if (!/^[\w+=,.@-]{1,128}$/.test(name)) {
    throw new DeclarationError(where, 'A name has letters, digits and any of +=,.@_-')
  }
}

function assertMembers(value: object, where: string, known: readonly string[]): void {
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) {
      throw new DeclarationError(where, `There is no "${name}". It may have ${known.join(', ')}.`)
    }
  }
}
