import type { ServiceError } from '../errors.ts'
import { unreachable, validationException } from '../errors.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { compileCondition } from './compile-condition.ts'
import type { ExpressionScope } from './expression-scope.ts'
import type { Comparator, Condition, KeyOperator, KeyTerm, Operand } from './syntax.ts'

/** Compiles a key condition to its terms. A Query with other expressions compiles all of them before it asks for the
 *  terms (`keyTermsOf`): the service reports errors in a filter before errors in a term. */
export function compileKeyCondition(text: string, scope: ExpressionScope): readonly KeyTerm[] {
  return keyTermsOf(compileCondition(text, 'KeyConditionExpression', scope))
}

/** The terms of a key condition that has passed as a condition: ANDed comparisons of one attribute with values. */
export function keyTermsOf(condition: Condition): readonly KeyTerm[] {
  const terms: KeyTerm[] = []
  collect(condition, terms)
  return terms
}

const mirrored: Readonly<Record<Exclude<Comparator, '<>'>, KeyOperator>> = {
  '=': '=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

function collect(condition: Condition, terms: KeyTerm[]): void {
  switch (condition.kind) {
    case 'and':
      for (const term of condition.terms) collect(term, terms)
      return
    case 'compare': {
      const { operator, left, right } = condition
      if (operator === '<>') throw invalidOperator('<>')
      const { attribute, position, values } = readOperands([left, right])
      add(terms, { attribute, operator: position === 0 ? operator : mirrored[operator], values })
      return
    }
    case 'between': {
      assertKeyFirst('BETWEEN', condition.operand)
      const { attribute, values } = readOperands([condition.operand, condition.lower, condition.upper])
      add(terms, { attribute, operator: 'BETWEEN', values })
      return
    }
    case 'begins_with': {
      assertKeyFirst('begins_with', condition.operand)
      const { attribute, values } = readOperands([condition.operand, condition.prefix])
      add(terms, { attribute, operator: 'begins_with', values })
      return
    }
    case 'or':
    case 'not':
    case 'in':
      throw invalidOperator(condition.kind.toUpperCase())
    case 'attribute_exists':
    case 'attribute_not_exists':
    case 'attribute_type':
    case 'contains':
      throw invalidOperator(condition.kind)
    default:
      return unreachable(condition)
  }
}

/** Reads operands from left to right: exactly one is a top-level attribute, the others are values. */
function readOperands(operands: readonly Operand[]): {
  attribute: string
  position: number
  values: readonly AttributeValue[]
} {
  let attribute: string | undefined
  let position = 0
  const values: AttributeValue[] = []
  for (const [index, operand] of operands.entries()) {
    if (operand.kind === 'size') {
      throw validationException('KeyConditionExpressions cannot contain nested operations')
    }
    if (operand.kind === 'value') {
      values.push(operand.value)
      continue
    }
    if (attribute !== undefined) throw invalidCondition('Multiple attribute names used in one condition')
    const [head, ...below] = operand.path
    if (below.length > 0 || head?.kind !== 'name') {
      throw validationException('KeyConditionExpressions cannot have conditions on nested attributes')
    }
    attribute = head.name
    position = index
  }
  if (attribute === undefined) throw invalidCondition('No key attribute specified')
  return { attribute, position, values }
}

function add(terms: KeyTerm[], term: KeyTerm): void {
  if (terms.some(({ attribute }) => attribute === term.attribute)) {
    throw validationException(
      'Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key',
    )
  }
  terms.push(term)
}

function assertKeyFirst(operator: string, operand: Operand): void {
  if (operand.kind === 'path') return
  throw invalidCondition(`${operator} operator must have the key attribute as its first operand`)
}

function invalidCondition(problem: string): ServiceError {
  return validationException(`Invalid condition in KeyConditionExpression: ${problem}`)
}

function invalidOperator(operator: string): ServiceError {
  return validationException(`Invalid operator used in KeyConditionExpression: ${operator}`)
}
