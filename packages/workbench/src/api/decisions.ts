import type { Scope } from '../api-types.ts'
import { ask, scopeQuery, type AskedOperation } from './api.ts'

// What policies decide. The shapes are those of packages/access/src/authorization/explain-decision.ts.

export interface Decision {
  readonly action: string
  readonly resource: string
  readonly outcome: 'allowed' | 'explicit-deny' | 'implicit-deny'
  readonly by: PolicyKind | 'root'
  readonly statements: readonly DecidingStatement[]
  readonly unmet: readonly DecidingStatement[]
  readonly missingKeys: readonly string[]
}

export type PolicyKind = 'identity' | 'resource' | 'boundary' | 'session'

/** A statement; of one that whoever asks may not read, only the kind of its policy. */
export interface DecidingStatement {
  readonly kind: PolicyKind
  readonly policy?: { readonly name: string; readonly holder?: string }
  readonly number?: number
  readonly statement?: Readonly<Record<string, unknown>>
  readonly conditions?: readonly DecidingCondition[]
}

export interface DecidingCondition {
  readonly operator: string
  readonly key: string
  readonly values: readonly string[]
  readonly sent: readonly string[] | null
  readonly holds: boolean
}

export interface Explanation {
  readonly decisions: readonly Decision[]
  readonly maySeeStatements: boolean
}

/** What decides about a request of one's own. */
export function explainAccess(scope: Scope, asked: AskedOperation, signal?: AbortSignal): Promise<Explanation> {
  return ask(`access/explain?${scopeQuery(scope)}`, asked, signal)
}

export interface Simulation {
  readonly principalArn?: string
  readonly policies: readonly string[]
  readonly context: Readonly<Record<string, readonly string[]>>
  /** A request, or each action on each resource. */
  readonly asked: AskedOperation | { readonly actions: readonly string[]; readonly resources: readonly string[] }
}

/** What would be decided for somebody else, or under other policies. Nothing is carried out. */
export async function simulateAccess(
  scope: Scope,
  { asked, ...simulation }: Simulation,
): Promise<readonly Decision[]> {
  const { decisions } = await ask<{ readonly decisions: readonly Decision[] }>(
    `access/simulate?${scopeQuery(scope)}`,
    { ...simulation, ...asked },
  )
  return decisions
}
