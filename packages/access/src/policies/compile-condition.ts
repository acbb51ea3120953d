import { compileMatchers } from './compile-matchers.ts'
import type { ContextValue, ContextValues } from './context-values.ts'
import type { MatchText } from './compile-text.ts'
import type { ConditionElement } from './policy-document.ts'

/** Whether one condition of a statement holds for a request. */
export type Condition = (context: ContextValues) => boolean

/** Makes a condition ready. Several values of the policy are alternatives; for an operator that negates, none of them may
 *  match. A key that the request does not have matches nothing, which is what the negating operators ask for. */
export function compileCondition(element: ConditionElement, variables: boolean): Condition {
  const { operator, quantifier, ifExists, values } = element
  const key = element.key.toLowerCase()
  if (operator === 'Null') return compileNull(key, values)
  const matchers = compileMatchers(operator, values, variables)
  const negated = negating.has(operator)
  const [only] = matchers
  const matchesAny: MatchText =
    matchers.length === 1 && only !== undefined
      ? only
      : (text, context) => matchers.some((matches) => matches(text, context))
  if (quantifier === 'ForAllValues') {
    return (context) => nonEmpty(context.get(key)).every((value) => matchesAny(value, context) !== negated)
  }
  if (quantifier === 'ForAnyValue') {
    return (context) => {
      const sent = nonEmpty(context.get(key))
      return sent.length === 0 ? ifExists : sent.some((value) => matchesAny(value, context) !== negated)
    }
  }
  return (context) => {
    const sent = context.get(key)
    if (typeof sent === 'string') return matchesAny(sent, context) !== negated
    if (sent === undefined || sent.length === 0) return ifExists || negated
    return sent.some((value) => matchesAny(value, context)) !== negated
  }
}

const negating: ReadonlySet<string> = new Set([
  'StringNotEquals',
  'StringNotEqualsIgnoreCase',
  'StringNotLike',
  'NumericNotEquals',
  'DateNotEquals',
  'NotIpAddress',
  'ArnNotEquals',
  'ArnNotLike',
])

/** `true` asks that the key be absent, `false` that it be there. */
function compileNull(key: string, values: readonly string[]): Condition {
  const wanted = new Set(values.map((value) => value.toLowerCase()))
  const whenAbsent = wanted.has('true')
  const whenThere = wanted.has('false')
  return (context) => {
    const sent = context.get(key)
    return sent === undefined || (typeof sent !== 'string' && sent.length === 0) ? whenAbsent : whenThere
  }
}

/** The values of a key, for the operators on sets. To them an empty text is an empty set. */
function nonEmpty(value: ContextValue | undefined): readonly string[] {
  if (value === undefined || value === '') return none
  if (typeof value === 'string') return [value]
  return value.every((text) => text === '') ? none : value
}

const none: readonly string[] = []
