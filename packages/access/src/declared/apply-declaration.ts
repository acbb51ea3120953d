import type { IamContext } from '../iam/iam-context.ts'
import { awsManagedPolicies } from '../identities/aws-managed-policies.ts'
import { documentOf } from '../identities/find-policy.ts'
import type { Account, IdentityBook, IdentityChange } from '../identities/identity-book.ts'
import type {
  AccessKeyRecord,
  GroupRecord,
  IdentityRecord,
  PolicyHolder,
  PolicyRecord,
  RoleRecord,
  Tag,
  UserRecord,
} from '../identities/identity-records.ts'
import { policyArn } from '../identities/principal.ts'
import { newId } from '../secrets/new-credentials.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { DeclarationError } from './declaration-error.ts'
import type {
  DeclaredAccount,
  DeclaredHolder,
  DeclaredIdentities,
  DeclaredKey,
  DeclaredPolicy,
  DeclaredRole,
  DeclaredUser,
} from './declared-identities.ts'
import { documentText } from './read-declaration.ts'

/** Makes what a file declares be so: what is there is changed to what the file says, and what it does not speak of stays. */
export async function applyDeclaration(
  iam: IamContext,
  declared: DeclaredIdentities,
  homeAccountId: string,
): Promise<void> {
  const box = await iam.box()
  const nowMs = iam.identities.clock.now()
  await iam.identities.change((book) => {
    const accounts = { [declared.account ?? homeAccountId]: declared, ...declared.accounts }
    const changes = Object.entries(accounts).flatMap(([accountId, account]) =>
      changesOf(new Declaring(book, book.account(accountId), box, nowMs), account),
    )
    return { changes, answer: undefined }
  })
}

/** The account as it is, and what is needed to change it. */
class Declaring {
  readonly book: IdentityBook
  readonly account: Account
  readonly box: SecretBox
  readonly nowMs: number
  readonly changes: IdentityChange[] = []
  /** ARNs of the policies that are declared as well. */
  readonly policies = new Map<string, string>()

  constructor(book: IdentityBook, account: Account, box: SecretBox, nowMs: number) {
    this.book = book
    this.account = account
    this.box = box
    this.nowMs = nowMs
  }

  put(before: IdentityRecord | undefined, record: IdentityRecord): void {
    if (JSON.stringify(before) === JSON.stringify(record)) return
    this.changes.push({ accountId: this.account.accountId, put: record })
  }
}

function changesOf(to: Declaring, declared: DeclaredAccount): readonly IdentityChange[] {
  const { account } = to
  for (const [name, policy] of Object.entries(declared.policies ?? {})) declarePolicy(to, name, policy)
  const groups = new Map<string, string>()
  for (const [name, group] of Object.entries(declared.groups ?? {})) {
    const before = account.groups.get(name)
    const record: GroupRecord = { kind: 'group', ...holderOf(to, 'AGPA', name, group, before) }
    groups.set(name, record.id)
    to.put(before, record)
  }
  for (const [name, role] of Object.entries(declared.roles ?? {})) declareRole(to, name, role)
  for (const [name, user] of Object.entries(declared.users ?? {})) declareUser(to, name, user, groups)
  return to.changes
}

function declarePolicy(to: Declaring, name: string, policy: DeclaredPolicy): void {
  const { account, nowMs } = to
  const before = account.policies.get(name)
  const path = policy.path ?? '/'
  to.policies.set(name, policyArn(account.accountId, { name, path }))
  const document = documentText(policy.document, `policies.${name}.document`, 'identity')
  const current = before?.versions.find(({ id }) => id === before.defaultVersionId)
  const base = {
    kind: 'policy' as const,
    name,
    path,
    id: before?.id ?? newId('ANPA', account.accountId),
    createdAtMs: before?.createdAtMs ?? nowMs,
    updatedAtMs: before?.updatedAtMs ?? nowMs,
    description: policy.description,
    tags: before?.tags ?? [],
  }
  if (before !== undefined && current?.document === document) {
    const { versions, defaultVersionId, lastVersion } = before
    to.put(before, { ...base, versions, defaultVersionId, lastVersion })
    return
  }
  // The oldest versions make room, as they would have to.
  const lastVersion = (before?.lastVersion ?? 0) + 1
  const version = { id: `v${lastVersion}`, document, createdAtMs: nowMs }
  const record: PolicyRecord = {
    ...base,
    updatedAtMs: nowMs,
    versions: [...(before?.versions ?? []).slice(-4), version],
    defaultVersionId: version.id,
    lastVersion,
  }
  to.put(before, record)
}

function declareRole(to: Declaring, name: string, role: DeclaredRole): void {
  const before = to.account.roles.get(name)
  const record: RoleRecord = {
    kind: 'role',
    ...holderOf(to, 'AROA', name, role, before),
    tags: tagsOf(role.tags),
    boundary: boundaryOf(to, `roles.${name}`, role.boundary),
    description: role.description,
    maxSessionSeconds: role.maxSessionSeconds ?? 3600,
    trust: documentText(role.trust, `roles.${name}.trust`, 'trust'),
  }
  to.put(before, record)
}

function declareUser(to: Declaring, name: string, user: DeclaredUser, groups: ReadonlyMap<string, string>): void {
  const before = to.account.users.get(name)
  const record: UserRecord = {
    kind: 'user',
    ...holderOf(to, 'AIDA', name, user, before),
    tags: tagsOf(user.tags),
    boundary: boundaryOf(to, `users.${name}`, user.boundary),
    groups: (user.groups ?? []).map((group) => {
      const id = groups.get(group) ?? to.account.groups.get(group)?.id
      if (id === undefined) throw new DeclarationError(`users.${name}.groups`, `There is no group ${group}.`)
      return id
    }),
  }
  to.put(before, record)
  for (const key of user.accessKeys ?? []) declareKey(to, record.id, key)
}

function declareKey(to: Declaring, userId: string, { id, secret, status = 'Active' }: DeclaredKey): void {
  const found = to.book.findKey(id)
  if (found !== undefined && found.account !== to.account) {
    throw new DeclarationError('accessKeys', `The access key ${id} belongs to another account.`)
  }
  const before = found?.key
  const isSealed = before !== undefined && to.box.open(before.secret, id) === secret
  const record: AccessKeyRecord = {
    kind: 'key',
    name: id,
    userId,
    status,
    createdAtMs: before?.createdAtMs ?? to.nowMs,
    secret: isSealed ? before.secret : to.box.seal(secret, id),
  }
  to.put(before, record)
}

function holderOf(
  to: Declaring,
  prefix: 'AGPA' | 'AIDA' | 'AROA',
  name: string,
  declared: DeclaredHolder,
  before: PolicyHolder | undefined,
): PolicyHolder {
  return {
    name,
    path: declared.path ?? '/',
    id: before?.id ?? newId(prefix, to.account.accountId),
    createdAtMs: before?.createdAtMs ?? to.nowMs,
    inline: Object.entries(declared.policies ?? {}).map(([policy, document]) => ({
      name: policy,
      document: documentText(document, `${name}.policies.${policy}`, 'identity'),
    })),
    attached: (declared.attached ?? []).map((policy) => policyNamed(to, `${name}.attached`, policy)),
  }
}

function boundaryOf(to: Declaring, where: string, policy: string | undefined): string | undefined {
  return policy === undefined ? undefined : policyNamed(to, `${where}.boundary`, policy)
}

/** The ARN of a managed policy: of this file, of the account, or of AWS. */
function policyNamed(to: Declaring, where: string, nameOrArn: string): string {
  const { account, book, policies } = to
  if (nameOrArn.startsWith('arn:')) {
    if (documentOf(book, nameOrArn) !== undefined || [...policies.values()].includes(nameOrArn)) return nameOrArn
    throw new DeclarationError(where, `There is no policy ${nameOrArn}.`)
  }
  const own = account.policies.get(nameOrArn)
  const arn = policies.get(nameOrArn) ?? (own === undefined ? undefined : policyArn(account.accountId, own))
  if (arn !== undefined) return arn
  const aws = `arn:aws:iam::aws:policy/${nameOrArn}`
  if (awsManagedPolicies.has(aws)) return aws
  throw new DeclarationError(where, `There is no policy ${nameOrArn}.`)
}

function tagsOf(tags: Readonly<Record<string, string>> = {}): readonly Tag[] {
  return Object.entries(tags).map(([key, value]) => ({ key, value }))
}
