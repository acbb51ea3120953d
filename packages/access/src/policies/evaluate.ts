import type { CompiledPolicy, CompiledStatement } from './compile-policy.ts'
import type { ContextValues } from './context-values.ts'
import type { NamedAs } from './match-principal.ts'
import type { Principal } from './principal.ts'

/** A question: may this principal do this to this resource? */
export interface AccessRequest {
  readonly principal: Principal
  /** In lower case, such as `dynamodb:getitem`. */
  readonly action: string
  /** An ARN, or `*` for actions that are not about one resource. */
  readonly resource: string
  /** Whose the resource is; the principal's account unless told. */
  readonly resourceAccountId?: string | undefined
  readonly context: ContextValues
  readonly policies: ApplicablePolicies
  /** Whether the resource's policy must let the principal in, whatever its own policies say. Roles are guarded so: no administrator assumes
   *  a role that does not trust them. */
  readonly isGuarded?: boolean
}

export interface ApplicablePolicies {
  /** Of the user and its groups, or of the role. */
  readonly identity: readonly CompiledPolicy[]
  /** What it may at most be allowed, if it has a permissions boundary. */
  readonly boundary?: CompiledPolicy | undefined
  /** What was given when the role was assumed: together they allow what the session may at most do. */
  readonly session?: readonly CompiledPolicy[] | undefined
  /** Of the resource. */
  readonly resource?: CompiledPolicy | undefined
}

export type KindOfPolicy = 'identity' | 'resource' | 'boundary' | 'session'

export interface AccessDecision {
  readonly outcome: 'allowed' | 'explicit-deny' | 'implicit-deny'
  /** The kind of policy that denied, or did not allow; of an allowance, the kind that allowed, or `root`. */
  readonly by: KindOfPolicy | 'root'
  /** What decided: the first statement of each policy that did. */
  readonly statements: readonly CompiledStatement[]
}

/** Decides as AWS's documentation draws it: a denial anywhere, then the resource's policy, the identity's policies, the
 *  boundary and the session's policies. Within an account, the resource's policy can allow by itself what it grants to the
 *  principal; between accounts, both sides must allow. */
export function evaluate(request: AccessRequest): AccessDecision {
  const { principal, policies, resourceAccountId = principal.accountId } = request
  return (
    denialIn('identity', policies.identity, request) ??
    (policies.boundary && denialIn('boundary', [policies.boundary], request)) ??
    (policies.session && denialIn('session', policies.session, request)) ??
    (policies.resource && denialIn('resource', [policies.resource], request)) ??
    (resourceAccountId === principal.accountId ? evaluateWithin(request) : evaluateAcross(request))
  )
}

function evaluateWithin(request: AccessRequest): AccessDecision {
  const { principal, policies } = request
  const grant = policies.resource && grantOf(policies.resource, request)
  if (request.isGuarded === true && grant === undefined) {
    return { outcome: 'implicit-deny', by: 'resource', statements: [] }
  }
  if (principal.kind === 'root') return { outcome: 'allowed', by: 'root', statements: [] }
  // What is granted to the user or the session itself is not limited by what others fail to allow.
  if (grant?.namedAs === 'self') return { outcome: 'allowed', by: 'resource', statements: [grant.statement] }
  const direct = grant === undefined || grant.namedAs === 'account' ? undefined : grant.statement
  return evaluateIdentity(request, direct)
}

/** The resource's account must let the principal or its account in, and the principal's account must let it out. */
function evaluateAcross(request: AccessRequest): AccessDecision {
  const { principal, policies } = request
  if (principal.kind !== 'root') {
    const own = evaluateIdentity(request, undefined)
    if (own.outcome !== 'allowed') return own
  }
  const grant = policies.resource && grantOf(policies.resource, request)
  if (grant === undefined) return { outcome: 'implicit-deny', by: 'resource', statements: [] }
  return { outcome: 'allowed', by: 'resource', statements: [grant.statement] }
}

/** What the principal's own policies say, or the resource's in their stead. */
function evaluateIdentity(request: AccessRequest, granted: CompiledStatement | undefined): AccessDecision {
  const { policies } = request
  const allowing = granted ?? allowanceIn(policies.identity, request)
  if (allowing === undefined) return { outcome: 'implicit-deny', by: 'identity', statements: [] }
  const statements = [allowing]
  if (policies.boundary !== undefined) {
    const within = allowanceIn([policies.boundary], request)
    if (within === undefined) return { outcome: 'implicit-deny', by: 'boundary', statements }
    statements.push(within)
  }
  if (policies.session !== undefined) {
    const within = allowanceIn(policies.session, request)
    if (within === undefined) return { outcome: 'implicit-deny', by: 'session', statements }
    statements.push(within)
  }
  return { outcome: 'allowed', by: granted === undefined ? 'identity' : 'resource', statements }
}

type Question = Omit<AccessRequest, 'policies'>

function denialIn(
  by: KindOfPolicy,
  policies: readonly CompiledPolicy[],
  request: Question,
): AccessDecision | undefined {
  for (const policy of policies) {
    for (const statement of policy.about(request.action, request.resource).denials) {
      if (applies(statement, request)) return { outcome: 'explicit-deny', by, statements: [statement] }
    }
  }
  return undefined
}

function allowanceIn(policies: readonly CompiledPolicy[], request: Question): CompiledStatement | undefined {
  for (const policy of policies) {
    for (const statement of policy.about(request.action, request.resource).allowances) {
      if (applies(statement, request)) return statement
    }
  }
  return undefined
}

interface Grant {
  readonly statement: CompiledStatement
  readonly namedAs: NamedAs
}

/** The allowance of a resource's policy that reaches farthest. */
function grantOf(policy: CompiledPolicy, request: Question): Grant | undefined {
  let best: Grant | undefined
  for (const statement of policy.about(request.action, request.resource).allowances) {
    const namedAs = statement.matchPrincipal?.(request.principal)
    if (namedAs === undefined || (best !== undefined && reach[namedAs] <= reach[best.namedAs])) continue
    if (holds(statement, request)) best = { statement, namedAs }
  }
  return best
}

const reach: Readonly<Record<NamedAs, number>> = { self: 3, role: 2, everyone: 1, account: 0 }

/** Whether a statement is about the request. A policy of an identity names no principal: it is about whoever has it. */
function applies(statement: CompiledStatement, request: Question): boolean {
  const { matchPrincipal } = statement
  return (
    (matchPrincipal === undefined || matchPrincipal(request.principal) !== undefined) && holds(statement, request)
  )
}

function holds({ isAbout, conditions }: CompiledStatement, { resource, context }: Question): boolean {
  if (isAbout !== undefined && !isAbout(resource, context)) return false
  for (const condition of conditions) if (!condition(context)) return false
  return true
}
