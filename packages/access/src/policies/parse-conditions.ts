import { isRecord } from './json-shapes.ts'
import { MalformedPolicy } from './malformed-policy.ts'
import { conditionOperators, type ConditionElement, type ConditionOperator } from './policy-document.ts'
import { readPolicyDate } from './policy-date.ts'

/** The entries of `Condition`, one for each operator and key. */
export function parseConditions(sent: unknown, refusal: () => Error): readonly ConditionElement[] {
  if (sent === undefined) return []
  if (!isRecord(sent)) throw refusal()
  const conditions: ConditionElement[] = []
  for (const [name, keys] of Object.entries(sent)) {
    if (!isRecord(keys)) throw refusal()
    // An operator that nobody knows is no error as long as it says nothing.
    if (Object.keys(keys).length === 0) continue
    const operator = parseOperator(name)
    if (operator === undefined) throw refusal()
    for (const [key, value] of Object.entries(keys)) {
      conditions.push({ ...operator, key, values: valuesOf(value, refusal) })
    }
  }
  for (const { operator, values } of conditions) {
    if (operator.startsWith('Date') && !values.every((value) => readPolicyDate(value) !== undefined)) {
      throw new MalformedPolicy('The policy failed legacy parsing')
    }
  }
  return conditions
}

type Operator = Pick<ConditionElement, 'operator' | 'quantifier' | 'ifExists'>

/** `ForAllValues:StringEqualsIfExists` and the like. Case does not matter. */
function parseOperator(name: string): Operator | undefined {
  const parts = /^(?:(forallvalues|foranyvalue):)?([a-z]+?)(ifexists)?$/i.exec(name)
  const operator = operatorNames.get(parts?.[2]?.toLowerCase() ?? '')
  if (parts === null || operator === undefined) return undefined
  const [, quantifier, , ifExists] = parts
  // `Null` asks whether a key exists: it cannot also be passed over if it does not.
  if (operator === 'Null' && ifExists !== undefined) return undefined
  return {
    operator,
    ifExists: ifExists !== undefined,
    ...(quantifier === undefined
      ? {}
      : { quantifier: quantifier.toLowerCase() === 'forallvalues' ? 'ForAllValues' : 'ForAnyValue' }),
  }
}

const operatorNames: ReadonlyMap<string, ConditionOperator> = new Map(
  conditionOperators.map((name) => [name.toLowerCase(), name]),
)

/** Texts, numbers and booleans, one or many. */
function valuesOf(sent: unknown, refusal: () => Error): readonly string[] {
  return (Array.isArray(sent) ? sent : [sent]).map((value: unknown) => {
    if (typeof value === 'string') return value
    if (typeof value === 'number' || typeof value === 'boolean') return String(value)
    throw refusal()
  })
}
