import { ServiceError } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import type { Need } from '../authorization/need.ts'
import { needsOf } from '../authorization/operation-needs.ts'
import { RequestContext } from '../authorization/request-context.ts'
import { nowOf, type IamContext } from '../iam/iam-context.ts'
import { assertPolicy, validationError } from '../iam/iam-errors.ts'
import { readTags, type TagInput } from '../iam/tags.ts'
import { callerIn, isCalling, type CallingScope } from '../identities/calling-scope.ts'
import { CallerPolicies } from '../identities/caller-policies.ts'
import { documentOf } from '../identities/find-policy.ts'
import type { IdentityBook } from '../identities/identity-book.ts'
import type { RoleRecord, Tag } from '../identities/identity-records.ts'
import { arnOfCaller, roleArn, type Caller } from '../identities/principal.ts'
import { evaluate } from '../policies/evaluate.ts'
import { PolicyCache } from '../policies/policy-cache.ts'
import { newTemporaryCredentials } from './temporary-credentials.ts'

export interface AssumeRoleInput {
  readonly RoleArn: string
  readonly RoleSessionName: string
  readonly PolicyArns?: readonly { readonly arn?: string }[]
  readonly Policy?: string
  readonly DurationSeconds?: number
  readonly Tags?: readonly TagInput[]
  readonly TransitiveTagKeys?: readonly string[]
  readonly ExternalId?: string
  readonly SourceIdentity?: string
}

const chainedSeconds = 3600
const mostPolicyCharacters = 2048

/** A session of a role, for whoever its trust policy lets in. */
export async function assumeRole(iam: IamContext, scope: Scope, input: AssumeRoleInput): Promise<object> {
  const { identities } = iam
  if (identities.isShared) await identities.refresh()
  const { book } = identities
  const caller = callerIn(scope)
  const { RoleArn: arn, RoleSessionName: sessionName } = input
  if (!isArn(arn)) throw validationError(`${arn} is invalid`)
  const found = findRole(book, arn)
  if (isCalling(scope)) assertTrusted(book, scope, found?.role, input)
  if (found === undefined) throw notAuthorized(caller, 'sts:AssumeRole', arn)
  const { role, accountId } = found
  const policies = readSessionPolicies(book, input)
  const seconds = readDuration(caller, role, input)
  const inherited = transitiveTags(caller)
  const tags = mergedTags(inherited, readSessionTags(input))
  const credentials = await newTemporaryCredentials(iam, nowOf(iam), seconds, {
    accountId,
    roleName: role.name,
    roleId: role.id,
    sessionName,
    ...policies,
    tags,
    transitiveTagKeys: [...inherited.map(({ key }) => key), ...(input.TransitiveTagKeys ?? [])],
    sourceIdentity: input.SourceIdentity ?? caller.session?.sourceIdentity,
  })
  return {
    Credentials: credentials,
    AssumedRoleUser: {
      AssumedRoleId: `${role.id}:${sessionName}`,
      Arn: `arn:aws:sts::${accountId}:assumed-role/${role.name}/${sessionName}`,
    },
    ...(input.Policy !== undefined && {
      PackedPolicySize: Math.ceil((input.Policy.length / mostPolicyCharacters) * 100),
    }),
    SourceIdentity: input.SourceIdentity,
  }
}

/** An ARN of a role names a partition, a service and an account, in six parts. */
function isArn(text: string): boolean {
  return /^arn:[^:]+:[^:]+:[^:]*:[^:]+:.+$/.test(text)
}

function findRole(
  book: IdentityBook,
  arn: string,
): { readonly role: RoleRecord; readonly accountId: string } | undefined {
  const [, , , , accountId = ''] = arn.split(':')
  if (!book.hasAccount(accountId)) return undefined
  const role = book.account(accountId).roles.get(arn.slice(arn.lastIndexOf('/') + 1))
  return role !== undefined && roleArn(accountId, role) === arn ? { role, accountId } : undefined
}

const trustPolicies = new PolicyCache('trust')
const callerPolicies = new CallerPolicies()

/** The trust policy is the role's resource policy: between accounts, the caller's own policies must allow it too. A role that is not there is refused in the same
 *  words as one that does not trust. */
function assertTrusted(
  book: IdentityBook,
  scope: CallingScope,
  role: RoleRecord | undefined,
  input: AssumeRoleInput,
): void {
  const { caller } = scope
  if (caller.kind === 'root') {
    throw new ServiceError('AccessDeniedException', 'Roles may not be assumed by root accounts.')
  }
  for (const need of needsOfRequest(scope, input)) {
    if (role === undefined) throw notAuthorized(caller, need.action, input.RoleArn)
    const resourceTags = Object.fromEntries(role.tags.map(({ key, value }) => [key, value]))
    const { outcome } = evaluate({
      principal: scope.facts.principal,
      action: need.action.toLowerCase(),
      resource: input.RoleArn,
      resourceAccountId: input.RoleArn.split(':')[4],
      context: new RequestContext(scope.facts, { ...need, resourceTags }, undefined),
      policies: { ...callerPolicies.of(book, caller), resource: trustPolicies.get(role.trust) },
      isGuarded: true,
    })
    if (outcome !== 'allowed') throw notAuthorized(caller, need.action, input.RoleArn)
  }
}

function needsOfRequest(scope: Scope, input: AssumeRoleInput): readonly Need[] {
  const needs = needsOf('AWSSecurityTokenServiceV20110615', 'AssumeRole')
  return needs?.({ scope, body: input, tables: { definitionOf: () => undefined } }) ?? []
}

function readSessionPolicies(
  book: IdentityBook,
  input: AssumeRoleInput,
): { readonly policies: readonly string[]; readonly policyArns: readonly string[] } {
  const { Policy: policy } = input
  if (policy !== undefined) {
    assertPolicy(policy, 'identity')
    if (policy.length > mostPolicyCharacters) {
      throw new ServiceError(
        'PackedPolicyTooLargeException',
        `The total packed size of the session policies and session tags combined was too large. It may have up to ${mostPolicyCharacters} characters.`,
      )
    }
  }
  const policyArns = (input.PolicyArns ?? []).flatMap(({ arn }) => arn ?? [])
  const missing = policyArns.find((arn) => documentOf(book, arn) === undefined)
  if (missing !== undefined) {
    throw new ServiceError(
      'InvalidParameterValueException',
      `Policy ${missing} does not exist or is not attachable.`,
    )
  }
  return { policies: policy === undefined ? [] : [policy], policyArns }
}

function readDuration(caller: Caller, role: RoleRecord, input: AssumeRoleInput): number {
  const seconds = input.DurationSeconds ?? 3600
  if (caller.kind === 'role' && seconds > chainedSeconds) {
    throw validationError(
      'The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining',
    )
  }
  if (seconds > role.maxSessionSeconds) {
    throw validationError('The requested DurationSeconds exceeds the MaxSessionDuration set for this role.')
  }
  return seconds
}

/** What is to be handed on is among the tags of the request. Case does not count. */
function readSessionTags({ Tags = [], TransitiveTagKeys = [] }: AssumeRoleInput): readonly Tag[] {
  const keys = new Set(Tags.map(({ Key }) => Key.toLowerCase()))
  if (keys.size < Tags.length) {
    throw invalidParameterValue('Duplicate tag keys found. Please note that Tag keys are case insensitive.')
  }
  if (TransitiveTagKeys.some((key) => !keys.has(key.toLowerCase()))) {
    throw invalidParameterValue('The specified transitive tag key must be included in the requested tags.')
  }
  return readTags(Tags)
}

/** Tags that go on to the sessions that a session begins. */
function transitiveTags({ session }: Caller): readonly Tag[] {
  const keys = new Set(session?.transitiveTagKeys.map((key) => key.toLowerCase()))
  return session?.tags.filter(({ key }) => keys.has(key.toLowerCase())) ?? []
}

/** What is handed on cannot be replaced. */
function mergedTags(inherited: readonly Tag[], given: readonly Tag[]): readonly Tag[] {
  const fixed = new Set(inherited.map(({ key }) => key.toLowerCase()))
  if (given.some(({ key }) => fixed.has(key.toLowerCase()))) {
    throw invalidParameterValue(
      "One of the specified transitive tag keys can't be set because it conflicts with a transitive tag key from the calling session.",
    )
  }
  return [...inherited, ...given]
}

/** STS's own name for it, in the Query protocol as elsewhere. */
function invalidParameterValue(message: string): ServiceError {
  return new ServiceError('InvalidParameterValue', message)
}

function notAuthorized(caller: Caller, action: string, arn: string): ServiceError {
  return new ServiceError(
    'AccessDeniedException',
    `User: ${arnOfCaller(caller)} is not authorized to perform: ${action} on resource: ${arn}`,
  )
}
