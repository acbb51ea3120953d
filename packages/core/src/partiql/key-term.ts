import type { Comparator, Condition, KeyOperator, KeyTerm, Operand } from '../expressions/syntax.ts'
import type { AttributeValue } from '../values/attribute-value.ts'

const mirrored: Readonly<Record<Exclude<Comparator, '<>'>, KeyOperator>> = {
  '=': '=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

/** A condition as one on a key attribute, if it compares a top-level attribute with values in a way that keys know. */
export function keyTermOf(condition: Condition): KeyTerm | undefined {
  if (condition.kind === 'compare') {
    const { operator, left, right } = condition
    if (operator === '<>') return undefined
    return termOf(left, operator, [right]) ?? termOf(right, mirrored[operator], [left])
  }
  if (condition.kind === 'between') return termOf(condition.operand, 'BETWEEN', [condition.lower, condition.upper])
  if (condition.kind === 'begins_with') return termOf(condition.operand, 'begins_with', [condition.prefix])
  return undefined
}

/** The equalities that an `IN` of values stands for. */
export function equalitiesOf(condition: Condition): readonly KeyTerm[] | undefined {
  if (condition.kind !== 'in') return undefined
  const terms = condition.candidates.map((candidate) => termOf(condition.operand, '=', [candidate]))
  return terms.every((term) => term !== undefined) ? terms : undefined
}

/** A key term as the condition that it was. */
export function conditionOf({ attribute, operator, values }: KeyTerm): Condition {
  const operand: Operand = { kind: 'path', path: [{ kind: 'name', name: attribute }] }
  const [first, second] = values.map((value): Operand => ({ kind: 'value', value }))
  if (first === undefined) throw new Error('a key term has a value')
  if (operator === 'begins_with') return { kind: 'begins_with', operand, prefix: first }
  if (operator === 'BETWEEN') return { kind: 'between', operand, lower: first, upper: second ?? first }
  return { kind: 'compare', operator, left: operand, right: first }
}

function termOf(operand: Operand, operator: KeyOperator, others: readonly Operand[]): KeyTerm | undefined {
  if (operand.kind !== 'path' || operand.path.length !== 1) return undefined
  const [head] = operand.path
  if (head?.kind !== 'name') return undefined
  const values: AttributeValue[] = []
  for (const other of others) {
    if (other.kind !== 'value') return undefined
    values.push(other.value)
  }
  return { attribute: head.name, operator, values }
}
