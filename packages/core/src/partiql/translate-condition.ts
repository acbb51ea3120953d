import { unreachable, validationException } from '../errors.ts'
import { conditionFunctions } from '../expressions/check-functions.ts'
import { ConditionBuilder } from '../expressions/condition-builder.ts'
import { incorrectOperandType } from '../expressions/invalid-expression.ts'
import type { Comparator, Condition, Operand } from '../expressions/syntax.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { literalValue } from './literal-value.ts'
import { malformed, refusedAt } from './statement-errors.ts'
import { statementPath } from './statement-path.ts'
import type { CallExpression, Expression } from './syntax.ts'
import { attributeTypesOf } from './type-names.ts'

/** The condition that a WHERE clause means. Most of it is checked and rejected like a condition expression. */
export function translateCondition(where: Expression, parameters: readonly AttributeValue[]): Condition {
  return new ConditionTranslator(parameters).condition(where)
}

const always: Condition = { kind: 'and', terms: [] }
const never: Condition = { kind: 'or', terms: [] }

/** Comparing conditions with each other evaluates them twice, and so more than doubles the work with every level. */
const comparedConditionLevels = 6

class ConditionTranslator {
  readonly #parameters: readonly AttributeValue[]
  readonly #build = new ConditionBuilder('Statement')
  #comparedConditions = 0

  constructor(parameters: readonly AttributeValue[]) {
    this.#parameters = parameters
  }

  /** Recursion is bounded by the parser. */
  condition(expression: Expression): Condition {
    switch (expression.kind) {
      case 'and':
      case 'or':
        return { kind: expression.kind, terms: expression.terms.map((term) => this.condition(term)) }
      case 'not':
        return { kind: 'not', term: this.condition(expression.term) }
      case 'compare':
        return this.#compare(expression.operator, expression.left, expression.right)
      case 'between':
        return this.#build.between(
          this.#operand(expression.operand),
          this.#operand(expression.lower),
          this.#operand(expression.upper),
        )
      case 'in':
        return this.#in(expression.operand, candidatesOf(expression.candidates))
      case 'is':
        return this.#is(expression.operand, expression.typeName)
      case 'call':
        return this.#call(expression)
      case 'boolean':
        return expression.value ? always : never
      case 'string':
      case 'number':
      case 'null':
      case 'missing':
      case 'list':
      case 'bag':
      case 'tuple':
      case 'parameter':
      case 'path':
      case 'operation':
      case 'star':
      case 'select':
        throw refusedAt('Unexpected expression where a condition should be', expression.at)
      default:
        return unreachable(expression)
    }
  }

  #operand(expression: Expression): Operand {
    if (expression.kind === 'path') return { kind: 'path', path: statementPath(expression) }
    if (expression.kind === 'call') {
      if (expression.name !== 'size') throw unrecognizedFunction(expression)
      return this.#build.size(expression.operands.map((operand) => this.#operand(operand)))
    }
    if (expression.kind === 'operation') {
      throw refusedAt(`Unrecognized function: ${expression.operator}`, expression.at)
    }
    return { kind: 'value', value: literalValue(expression, this.#parameters) }
  }

  #call(call: CallExpression): Condition {
    if (!conditionFunctions.has(call.name)) throw unrecognizedFunction(call)
    return this.#build.call(
      call.name,
      call.operands.map((operand) => this.#operand(operand)),
    )
  }

  #compare(operator: Comparator, left: Expression, right: Expression): Condition {
    const first = isCondition(left)
    if (!first && !isCondition(right)) {
      return this.#build.compare(operator, this.#operand(left), this.#operand(right))
    }
    if (operator !== '=' && operator !== '<>') throw incorrectOperandType('Statement', operator, 'BOOL')
    const equal = first ? this.#conditionEquals(left, right) : this.#conditionEquals(right, left)
    return operator === '=' ? equal : { kind: 'not', term: equal }
  }

  #in(operand: Expression, candidates: readonly Expression[]): Condition {
    if (isCondition(operand)) {
      return { kind: 'or', terms: candidates.map((candidate) => this.#conditionEquals(operand, candidate)) }
    }
    return this.#build.in(
      this.#operand(operand),
      candidates.map((candidate) => this.#operand(candidate)),
    )
  }

  /** A condition can be compared with a boolean: it is one. */
  #conditionEquals(condition: Expression, other: Expression): Condition {
    this.#comparedConditions++
    if (this.#comparedConditions > comparedConditionLevels) throw malformed('Expression is nested too deeply')
    const left = this.condition(condition)
    const right = this.#asCondition(other)
    this.#comparedConditions--
    const bothHold: Condition = { kind: 'and', terms: [left, right.holds] }
    const neitherHolds: Condition = { kind: 'and', terms: [{ kind: 'not', term: left }, right.fails] }
    return { kind: 'or', terms: [bothHold, neitherHolds] }
  }

  /** When an expression is true and when it is false; an attribute may be neither. */
  #asCondition(expression: Expression): { readonly holds: Condition; readonly fails: Condition } {
    if (isCondition(expression)) {
      const holds = this.condition(expression)
      return { holds, fails: { kind: 'not', term: holds } }
    }
    const operand = this.#operand(expression)
    if (operand.kind !== 'value') {
      return {
        holds: this.#build.compare('=', operand, { kind: 'value', value: { BOOL: true } }),
        fails: this.#build.compare('=', operand, { kind: 'value', value: { BOOL: false } }),
      }
    }
    if (!('BOOL' in operand.value)) return { holds: never, fails: never }
    return operand.value.BOOL ? { holds: always, fails: never } : { holds: never, fails: always }
  }

  #is(expression: Expression, typeName: string): Condition {
    const operand = this.#operand(expression)
    if (typeName === 'missing') return this.#build.call('attribute_not_exists', [operand])
    const terms = attributeTypesOf(typeName).map((type) =>
      this.#build.call('attribute_type', [operand, { kind: 'value', value: { S: type } }]),
    )
    const [only] = terms
    return only !== undefined && terms.length === 1 ? only : { kind: 'or', terms }
  }
}

const conditionKinds: ReadonlySet<Expression['kind']> = new Set([
  'and',
  'or',
  'not',
  'compare',
  'between',
  'in',
  'is',
])

function isCondition(expression: Expression): boolean {
  if (expression.kind === 'call') return conditionFunctions.has(expression.name)
  return conditionKinds.has(expression.kind)
}

/** `IN` takes a list; a list of one in parentheses looks like its element. */
function candidatesOf(expression: Expression): readonly Expression[] {
  if (expression.kind !== 'list') return [expression]
  if (expression.elements.length === 0) throw validationException('The IN operator must have at least one operand')
  return expression.elements
}

function unrecognizedFunction(call: CallExpression): Error {
  return refusedAt(`Unrecognized function: ${call.name}`, call.at)
}
