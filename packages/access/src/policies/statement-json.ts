import type { ConditionElement, PrincipalElement, Statement } from './policy-document.ts'

/** A statement as one would write it, for people to read: its lists have the form that the parser gave them. */
export function statementJson(statement: Statement): object {
  const { sid, effect, principal, action, resource, conditions } = statement
  return {
    ...(sid !== undefined && { Sid: sid }),
    Effect: effect,
    ...(principal !== undefined && {
      [principal.negated ? 'NotPrincipal' : 'Principal']: principalJson(principal),
    }),
    [action.negated ? 'NotAction' : 'Action']: oneOrMany(action.patterns),
    ...(resource !== undefined && {
      [resource.negated ? 'NotResource' : 'Resource']: oneOrMany(resource.patterns),
    }),
    ...(conditions.length > 0 && { Condition: conditionJson(conditions) }),
  }
}

/** `ForAllValues:StringLikeIfExists`, as it is written. */
export function operatorText({ quantifier, operator, ifExists }: ConditionElement): string {
  return `${quantifier === undefined ? '' : `${quantifier}:`}${operator}${ifExists ? 'IfExists' : ''}`
}

function principalJson({ everyone, aws, others }: PrincipalElement): unknown {
  if (everyone && aws.length === 0 && others.length === 0) return '*'
  const all = everyone ? ['*', ...aws] : aws
  return {
    ...(all.length > 0 && { AWS: oneOrMany(all) }),
    ...Object.fromEntries(others.map(({ kind, values }) => [kind, oneOrMany(values)])),
  }
}

function conditionJson(conditions: readonly ConditionElement[]): object {
  const byOperator = new Map<string, [string, unknown][]>()
  for (const condition of conditions) {
    const operator = operatorText(condition)
    byOperator.set(operator, [...(byOperator.get(operator) ?? []), [condition.key, oneOrMany(condition.values)]])
  }
  return Object.fromEntries([...byOperator].map(([operator, keys]) => [operator, Object.fromEntries(keys)]))
}

function oneOrMany(values: readonly string[]): unknown {
  return values.length === 1 ? values[0] : values
}
