import type { CompiledPolicy, CompiledStatement } from '../policies/compile-policy.ts'
import type { ContextValue, ContextValues } from '../policies/context-values.ts'
import type { AccessDecision, ApplicablePolicies, KindOfPolicy } from '../policies/evaluate.ts'
import type { Principal } from '../policies/principal.ts'
import { operatorText, statementJson } from '../policies/statement-json.ts'
import type { NeedDecision } from './authorize.ts'
import type { Need } from './need.ts'

/** A decision, for people to read. */
export interface ExplainedDecision {
  readonly action: string
  readonly resource: string
  readonly outcome: AccessDecision['outcome']
  readonly by: AccessDecision['by']
  /** What decided. */
  readonly statements: readonly ExplainedStatement[]
  /** Statements about this action and resource that had no say, because a condition does not hold. */
  readonly unmet: readonly ExplainedStatement[]
  /** Keys that conditions ask for and the request does not have. */
  readonly missingKeys: readonly string[]
}

export interface ExplainedStatement {
  readonly kind: KindOfPolicy
  /** What follows is left out where whoever asks may not read the policy. */
  readonly policy?: PolicyName
  /** Its place in the policy, counted from 1. */
  readonly number?: number
  /** As one would write it in a policy. */
  readonly statement?: object
  readonly conditions?: readonly ExplainedCondition[]
}

/** What a policy is called, and whose it is, such as `group readers`. */
export interface PolicyName {
  readonly name: string
  readonly holder?: string | undefined
}

export interface ExplainedCondition {
  readonly operator: string
  readonly key: string
  readonly values: readonly string[]
  /** What the request has; null if it has nothing under this key. */
  readonly sent: readonly string[] | null
  readonly holds: boolean
}

export interface Explaining {
  readonly principal: Principal
  readonly nameOf: (policy: CompiledPolicy) => PolicyName | undefined
  /** Whether policies of a kind may be shown to whoever asks. */
  readonly mayRead: (kind: KindOfPolicy, need: Need) => boolean
}

const mostUnmet = 20

export function explainDecision(made: NeedDecision, explaining: Explaining): ExplainedDecision {
  const { need, decision, context, policies } = made
  const { action, resource } = need
  const tell = (statement: CompiledStatement): ExplainedStatement => explainStatement(statement, made, explaining)
  const about = [...kindsOf(policies).keys()]
    .map((policy) => policy.about(action.toLowerCase(), resource))
    .flatMap(({ denials, allowances }) => [...denials, ...allowances])
    .filter(
      ({ matchPrincipal }) => matchPrincipal === undefined || matchPrincipal(explaining.principal) !== undefined,
    )
  const readable = about.filter(({ policy }) =>
    explaining.mayRead(kindsOf(policies).get(policy) ?? 'resource', need),
  )
  const unmet = readable.filter(({ conditions }) => conditions.some((condition) => !condition(context)))
  const asked = readable.flatMap(({ statement }) => statement.conditions.map(({ key }) => key))
  return {
    action,
    resource,
    outcome: decision.outcome,
    by: decision.by,
    statements: decision.statements.map(tell),
    unmet: unmet.slice(0, mostUnmet).map(tell),
    missingKeys: [...new Set(asked)].filter((key) => context.get(key.toLowerCase()) === undefined),
  }
}

function explainStatement(
  compiled: CompiledStatement,
  { context, need, policies }: NeedDecision,
  { nameOf, mayRead }: Explaining,
): ExplainedStatement {
  const { policy, statement, index, conditions } = compiled
  const kind = kindsOf(policies).get(policy) ?? 'resource'
  if (!mayRead(kind, need)) return { kind }
  return {
    kind,
    policy: nameOf(policy) ?? { name: kind === 'resource' ? 'resource policy' : '' },
    number: index + 1,
    statement: statementJson(statement),
    conditions: statement.conditions.map((element, position) => ({
      operator: operatorText(element),
      key: element.key,
      values: element.values,
      sent: listOf(context, element.key),
      holds: conditions[position]?.(context) ?? false,
    })),
  }
}

function kindsOf({ identity, boundary, session, resource }: ApplicablePolicies): Map<CompiledPolicy, KindOfPolicy> {
  // A document that is of two kinds at once is one policy here, and counts as the identity's own.
  return new Map<CompiledPolicy, KindOfPolicy>([
    ...(resource === undefined ? [] : [[resource, 'resource'] as const]),
    ...(session ?? []).map((policy) => [policy, 'session'] as const),
    ...(boundary === undefined ? [] : [[boundary, 'boundary'] as const]),
    ...identity.map((policy) => [policy, 'identity'] as const),
  ])
}

function listOf(context: ContextValues, key: string): readonly string[] | null {
  const value: ContextValue | undefined = context.get(key.toLowerCase())
  if (value === undefined) return null
  return typeof value === 'string' ? [value] : value
}
