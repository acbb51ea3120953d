import { compileCondition, type Condition } from './compile-condition.ts'
import { compilePrincipal, type MatchPrincipal } from './match-principal.ts'
import { compileResource } from './compile-arn.ts'
import { compileText, type MatchText } from './compile-text.ts'
import { contextOf } from './context-values.ts'
import type { PolicyDocument, Statement } from './policy-document.ts'

/** A policy, made ready once to be evaluated often. */
export interface CompiledPolicy {
  readonly document: PolicyDocument
  /** The statements whose `Action` is about an action, which is given in lower case. They are looked for once. */
  about(action: string): StatementsAbout
}

export interface StatementsAbout {
  readonly denials: readonly CompiledStatement[]
  readonly allowances: readonly CompiledStatement[]
}

export interface CompiledStatement {
  readonly policy: CompiledPolicy
  readonly statement: Statement
  /** In the document. */
  readonly index: number
  readonly isAbout: MatchText
  readonly conditions: readonly Condition[]
  readonly matchPrincipal: MatchPrincipal | undefined
}

export function compilePolicy(document: PolicyDocument): CompiledPolicy {
  const variables = document.version === '2012-10-17'
  const known = new Map<string, StatementsAbout>()
  const policy: CompiledPolicy = {
    document,
    about: (action) => {
      let statements = known.get(action)
      if (statements === undefined) {
        // There are a few hundred actions; only a simulation can ask for others.
        if (known.size >= 1000) known.clear()
        statements = statementsAbout(compiled, action)
        known.set(action, statements)
      }
      return statements
    },
  }
  const compiled = document.statements.map((statement, index) =>
    compileStatement(policy, statement, index, variables),
  )
  return policy
}

interface Compiled {
  readonly statement: CompiledStatement
  readonly actions: readonly MatchText[]
}

function compileStatement(
  policy: CompiledPolicy,
  statement: Statement,
  index: number,
  variables: boolean,
): Compiled {
  const { action, conditions, effect, principal } = statement
  return {
    actions: action.patterns.map((pattern) =>
      compileText(pattern.toLowerCase(), { variables: false, wildcards: true }),
    ),
    statement: {
      policy,
      statement,
      index,
      isAbout: compileResources(statement, variables),
      conditions: conditions.map((condition) => compileCondition(condition, variables)),
      matchPrincipal: principal && compilePrincipal(principal, effect),
    },
  }
}

function compileResources({ resource }: Statement, variables: boolean): MatchText {
  if (resource === undefined) return () => true
  const patterns = resource.patterns.map((pattern) => compileResource(pattern, { variables, wildcards: true }))
  const [only] = patterns
  if (only !== undefined && patterns.length === 1 && !resource.negated) return only
  return (arn, context) => patterns.some((matches) => matches(arn, context)) !== resource.negated
}

function statementsAbout(compiled: readonly Compiled[], action: string): StatementsAbout {
  const about = compiled
    .filter(({ actions, statement }) => {
      const isNamed = actions.some((matches) => matches(action, noContext))
      return isNamed !== statement.statement.action.negated
    })
    .map(({ statement }) => statement)
  return {
    denials: about.filter(({ statement }) => statement.effect === 'Deny'),
    allowances: about.filter(({ statement }) => statement.effect === 'Allow'),
  }
}

const noContext = contextOf({})
