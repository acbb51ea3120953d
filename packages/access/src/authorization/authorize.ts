import { ServiceError, validationException } from '@hashrange/core'
import { readInput, type PartlyAdmittedScope, type Scope, type TableDefinition } from '@hashrange/engine'
import { accessDenied } from '../policies/access-denied.ts'
import type { CompiledPolicy } from '../policies/compile-policy.ts'
import type { ContextValues } from '../policies/context-values.ts'
import { evaluate, type AccessDecision, type ApplicablePolicies } from '../policies/evaluate.ts'
import { MalformedPolicy } from '../policies/malformed-policy.ts'
import { PolicyCache } from '../policies/policy-cache.ts'
import type { KnownIdentities, KnownTables, Need } from './need.ts'
import { needsOf } from './operation-needs.ts'
import { needsOfStatements } from './statement-needs.ts'
import { RequestContext, type RequestFacts } from './request-context.ts'

/** A request that somebody makes whose identity is proven. */
export interface AuthorizedRequest {
  readonly facts: RequestFacts
  /** The principal's own policies; those of the resources are found here. */
  readonly policies: Omit<ApplicablePolicies, 'resource'>
  /** The principal's account, and the region of the endpoint. */
  readonly scope: Scope
  readonly target: string
  readonly operation: string
  /** What was sent: parsed JSON of any shape. */
  readonly body: unknown
  readonly tables: KnownTables
  readonly identities?: KnownIdentities | undefined
}

/** What was decided for one need. */
export interface NeedDecision {
  readonly need: Need
  readonly decision: AccessDecision
  /** The values of condition keys that it was decided by. */
  readonly context: ContextValues
  /** All policies that had a say. */
  readonly policies: ApplicablePolicies
}

/** Throws AccessDeniedException unless all that a request needs is allowed. Answers the scope to carry it out in: that of the account whose
 *  tables it names. */
export function authorize(request: AuthorizedRequest): Scope {
  if (request.operation === 'BatchExecuteStatement') return authorizeStatements(request)
  const needs = neededFor(request)
  assertAllowed(request, needs)
  if (request.operation === 'PutResourcePolicy') assertKeepsAccess(request, needs)
  return ownerOf(request.scope, needs)
}

function assertAllowed(request: AuthorizedRequest, needs: readonly Need[]): void {
  for (const need of needs) {
    const decision = decideNeed(request, need)
    if (decision.outcome !== 'allowed') {
      throw accessDenied(request.facts.principal, need.action, need.resource, decision)
    }
  }
}

/** The statements of a batch are by themselves: those that are denied, or that cannot be read, are answered with their error, and the others run. */
function authorizeStatements(request: AuthorizedRequest): PartlyAdmittedScope {
  const refused = new Map<number, ServiceError>()
  const allowed: Need[] = []
  for (const [position, needsOfOne] of needsOfStatements(request).entries()) {
    try {
      const needs = needsOfOne()
      assertAllowed(request, needs)
      allowed.push(...needs)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      refused.set(position, error)
    }
  }
  return { ...ownerOf(request.scope, allowed), refused }
}

/** The same, told rather than done: every need with its decision. What is `given` goes before what is known of the request. */
export function explainAccess(request: AuthorizedRequest, given?: ContextValues): readonly NeedDecision[] {
  return explainNeeds(request, neededFor(request), given)
}

/** The same for needs of no request in particular. */
export function explainNeeds(
  request: Pick<AuthorizedRequest, 'facts' | 'policies' | 'tables'>,
  needs: readonly Need[],
  given?: ContextValues,
): readonly NeedDecision[] {
  return needs.map((need) => {
    const definition = definitionOf(request, need)
    const known = new RequestContext(request.facts, need, definition)
    const context = given === undefined ? known : { get: (key: string) => given.get(key) ?? known.get(key) }
    const policies = applicablePolicies(request, need, definition)
    return { need, decision: evaluateNeed(request.facts, policies, need, context), context, policies }
  })
}

function neededFor({ target, operation, scope, body, tables, identities }: AuthorizedRequest): readonly Need[] {
  const needs = needsOf(target, operation)
  // Nobody can be allowed what nobody has thought of.
  if (needs === undefined) throw new ServiceError('AccessDeniedException', 'Access is denied')
  return needs({ scope, body, tables, identities })
}

function decideNeed(request: AuthorizedRequest, need: Need): AccessDecision {
  const { facts } = request
  const definition = definitionOf(request, need)
  const policies = applicablePolicies(request, need, definition)
  return evaluateNeed(facts, policies, need, new RequestContext(facts, need, definition))
}

function definitionOf({ tables }: Pick<AuthorizedRequest, 'tables'>, { table }: Need): TableDefinition | undefined {
  return table && tables.definitionOf(table, table.tableName)
}

function applicablePolicies(
  { facts, policies }: Pick<AuthorizedRequest, 'facts' | 'policies'>,
  need: Need,
  definition: TableDefinition | undefined,
): ApplicablePolicies {
  const isRescue = facts.principal.kind === 'root' && need.action === 'dynamodb:DeleteResourcePolicy'
  // Nobody locks the owner out: the root user may always take a policy away.
  const resource = isRescue || definition === undefined ? undefined : resourcePolicyOf(definition, need)
  return resource === undefined ? policies : { ...policies, resource }
}

function evaluateNeed(
  { principal }: RequestFacts,
  policies: ApplicablePolicies,
  need: Need,
  context: ContextValues,
): AccessDecision {
  return evaluate({
    principal,
    action: lowerCase(need.action),
    resource: need.resource,
    resourceAccountId: need.table?.accountId,
    context,
    policies,
  })
}

/** Whoever puts a policy that would not let them put another one must say that this is meant. */
function assertKeepsAccess(request: AuthorizedRequest, [need]: readonly Need[]): void {
  const { facts, policies, body } = request
  const input = readInput('PutResourcePolicy', body)
  if (need === undefined || input.ConfirmRemoveSelfResourceAccess === true) return
  const next = readPolicy(input.Policy)
  const definition = definitionOf(request, need)
  if (next === undefined) return
  const context = new RequestContext(facts, need, definition)
  if (evaluateNeed(facts, { ...policies, resource: next }, need, context).outcome !== 'explicit-deny') return
  throw new ServiceError(
    'AccessDeniedException',
    'The new resource policy will not allow you to update the resource policy in the future.',
  )
}

/** All the tables of a request belong to one account: it is carried out as that account's, and there each name means its own table. */
function ownerOf(scope: Scope, needs: readonly Need[]): Scope {
  let owner: string | undefined
  for (const { table } of needs) {
    if (table === undefined || table.accountId === owner) continue
    if (owner !== undefined) {
      throw validationException(
        'One or more parameter values were invalid: All tables must belong to the same account',
      )
    }
    owner = table.accountId
  }
  return owner === undefined || owner === scope.accountId ? scope : { accountId: owner, region: scope.region }
}

const resourcePolicies = new PolicyCache('resource')

/** A table's policy is about the table and its indexes, a stream's about the stream. */
function resourcePolicyOf(definition: TableDefinition, { resource, table }: Need): CompiledPolicy | undefined {
  const below = resource.slice(table?.arn.length ?? 0)
  if (below === '' || below.startsWith('/index/')) return readPolicy(definition.resourcePolicy)
  if (!below.startsWith(streamPart)) return undefined
  const label = below.slice(streamPart.length)
  return readPolicy(definition.streamPolicies?.find((stream) => stream.label === label)?.policy)
}

const streamPart = '/stream/'

function readPolicy(text: string | undefined): CompiledPolicy | undefined {
  if (text === undefined) return undefined
  try {
    return resourcePolicies.get(text)
  } catch (error) {
    // From a time when policies were kept unread: it neither allows nor denies.
    if (error instanceof MalformedPolicy) return undefined
    throw error
  }
}

const lowered = new Map<string, string>()

/** There are a few hundred actions. */
function lowerCase(action: string): string {
  let lower = lowered.get(action)
  if (lower === undefined) {
    lower = action.toLowerCase()
    lowered.set(action, lower)
  }
  return lower
}
