import type { ApplicablePolicies } from '../policies/evaluate.ts'
import { PolicyCache } from '../policies/policy-cache.ts'
import type { Principal } from '../policies/principal.ts'
import { documentOf } from './find-policy.ts'
import type { IdentityBook } from './identity-book.ts'
import type { PolicyHolder, Tag } from './identity-records.ts'
import { arnOfCaller, roleArn, userIdOfCaller, type Caller } from './principal.ts'

/** The policies of a caller, but for those of resources. */
export type OwnPolicies = Omit<ApplicablePolicies, 'resource'>

/** A document with the name of the policy that it is of. */
export interface NamedDocument {
  readonly name: string
  readonly document: string
  /** Whose it is, such as `group readers`. */
  readonly holder: string
}

/** A boundary that is gone allows nothing. */
const nothing = '{"Version":"2012-10-17","Statement":[{"Effect":"Deny","Action":"*","Resource":"*"}]}'
const mostKept = 1000

/** What applies to callers, kept ready until an identity changes. */
export class CallerPolicies {
  readonly #documents = new PolicyCache('identity')
  #book: IdentityBook | undefined
  #version = -1
  readonly #kept = new Map<string, OwnPolicies>()

  of(book: IdentityBook, caller: Caller): OwnPolicies {
    if (this.#book !== book || this.#version !== book.version || this.#kept.size > mostKept) {
      this.#kept.clear()
      this.#book = book
      this.#version = book.version
    }
    const kept = this.#kept.get(caller.accessKeyId)
    if (kept !== undefined) return kept
    const policies = this.#collect(book, caller)
    this.#kept.set(caller.accessKeyId, policies)
    return policies
  }

  #collect(book: IdentityBook, caller: Caller): OwnPolicies {
    const compile = (text: string) => this.#documents.get(text)
    const { boundary, identity } = documentsOf(book, caller)
    const session = sessionDocuments(book, caller)
    return {
      identity: identity.map(({ document }) => compile(document)),
      ...(boundary !== undefined && { boundary: compile(boundary) }),
      ...(session !== undefined && { session: session.map(compile) }),
    }
  }
}

/** The documents of a caller's own policies: the user's and its groups', or the role's. */
export function documentsOf(
  book: IdentityBook,
  caller: Caller,
): { readonly identity: readonly NamedDocument[]; readonly boundary: string | undefined } {
  if (caller.kind === 'root') return { identity: [], boundary: undefined }
  const nameOf = (holder: PolicyHolder): string => `${holder === own ? caller.kind : 'group'} ${holder.name}`
  const account = book.account(caller.accountId)
  const own: PolicyHolder = caller.kind === 'role' ? caller.role : caller.user
  const groups = caller.kind === 'role' ? [] : account.groupsOf(caller.user)
  const { boundary } = caller.kind === 'role' ? caller.role : caller.user
  return {
    identity: [own, ...groups].flatMap((holder) => [
      ...holder.inline.map(({ name, document }) => ({ name, document, holder: nameOf(holder) })),
      ...holder.attached.flatMap((arn): NamedDocument[] => {
        const document = documentOf(book, arn)
        return document === undefined
          ? []
          : [{ name: arn.slice(arn.lastIndexOf('/') + 1), document, holder: nameOf(holder) }]
      }),
    ]),
    boundary: boundary === undefined ? undefined : (documentOf(book, boundary) ?? nothing),
  }
}

/** Nothing for a session that was not narrowed, and for no session. */
export function sessionDocuments(book: IdentityBook, { session }: Caller): readonly string[] | undefined {
  if (session === undefined || session.policies.length + session.policyArns.length === 0) return undefined
  return [...session.policies, ...session.policyArns.map((arn) => documentOf(book, arn) ?? nothing)]
}

/** A caller as policies speak of it. */
export function principalOf(caller: Caller): Principal {
  const { accountId } = caller
  const about = { accountId, arn: arnOfCaller(caller), userId: userIdOfCaller(caller) }
  switch (caller.kind) {
    case 'root':
      return { ...about, kind: 'root', tags: {} }
    case 'user':
      return { ...about, kind: 'user', userName: caller.user.name, tags: tagsOf(caller.user.tags) }
    case 'role':
      return {
        ...about,
        kind: 'role-session',
        roleArn: roleArn(accountId, caller.role),
        tags: tagsOf([...caller.role.tags, ...(caller.session?.tags ?? [])]),
      }
  }
}

/** Later ones replace earlier ones, whatever their case. */
function tagsOf(tags: readonly Tag[]): Readonly<Record<string, string>> {
  const byKey = new Map(tags.map((tag) => [tag.key.toLowerCase(), tag]))
  const record = Object.create(null) as Record<string, string>
  for (const { key, value } of byKey.values()) record[key] = value
  return record
}
