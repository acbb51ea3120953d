import { compileCondition, type Condition } from './compile-condition.ts'
import { compilePrincipal, type MatchPrincipal } from './match-principal.ts'
import { compileResource } from './compile-arn.ts'
import { compileText, type MatchText } from './compile-text.ts'
import { contextOf } from './context-values.ts'
import type { PolicyDocument, Statement } from './policy-document.ts'

/** A policy, made ready once to be evaluated often. */
export interface CompiledPolicy {
  readonly document: PolicyDocument
  /** The statements whose `Action` is about an action, which is given in lower case, and whose `Resource` may be about a resource. They are
   *  looked for once: what is asked for again and again is found at once, however many statements there are. */
  about(action: string, resource: string): StatementsAbout
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
  /** Whether it is about a resource after all, where that depends on the request. */
  readonly isAbout: MatchText | undefined
  readonly conditions: readonly Condition[]
  readonly matchPrincipal: MatchPrincipal | undefined
}

/** How many statements a policy remembers, with the pairs of actions and resources that they are about. Both are chosen by whoever asks. */
const mostRemembered = 20_000

export function compilePolicy(document: PolicyDocument): CompiledPolicy {
  const variables = document.version === '2012-10-17'
  const known = new Map<string, Map<string, StatementsAbout>>()
  let remembered = 0
  const policy: CompiledPolicy = {
    document,
    about: (action, resource) => {
      const found = known.get(action)?.get(resource)
      if (found !== undefined) return found
      const statements = statementsAbout(compiled, action, resource)
      // What is about nothing takes room too.
      const weight = 10 + statements.denials.length + statements.allowances.length
      remembered += weight
      if (remembered > mostRemembered) {
        known.clear()
        remembered = weight
      }
      const ofAction = known.get(action) ?? new Map<string, StatementsAbout>()
      known.set(action, ofAction.set(resource, statements))
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
  readonly isAbout: MatchText
}

function compileStatement(
  policy: CompiledPolicy,
  statement: Statement,
  index: number,
  variables: boolean,
): Compiled {
  const { action, conditions, effect, principal, resource } = statement
  const isAbout = compileResources(statement, variables)
  const depends = variables && resource?.patterns.some((pattern) => pattern.includes('${')) === true
  return {
    isAbout,
    actions: action.patterns.map((pattern) =>
      compileText(pattern.toLowerCase(), { variables: false, wildcards: true }),
    ),
    statement: {
      policy,
      statement,
      index,
      isAbout: depends ? isAbout : undefined,
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

function statementsAbout(compiled: readonly Compiled[], action: string, resource: string): StatementsAbout {
  const about = compiled
    .filter(({ actions, isAbout, statement }) => {
      const isNamed = actions.some((matches) => matches(action, noContext))
      if (isNamed === statement.statement.action.negated) return false
      return statement.isAbout !== undefined || isAbout(resource, noContext)
    })
    .map(({ statement }) => statement)
  return {
    denials: about.filter(({ statement }) => statement.effect === 'Deny'),
    allowances: about.filter(({ statement }) => statement.effect === 'Allow'),
  }
}

const noContext = contextOf({})
