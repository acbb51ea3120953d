import type { ServiceError } from '../errors.ts'
import { unreachable } from '../errors.ts'
import { limits } from '../limits.ts'
import type { AttributeType, AttributeValue } from '../values/attribute-value.ts'
import { typeOf } from '../values/attribute-value.ts'
import { compareScalars } from '../values/compare-values.ts'
import { assertDistinct } from './bind-operands.ts'
import {
  incorrectOperandCount,
  incorrectOperandType,
  invalidExpression,
  pathRequired,
} from './invalid-expression.ts'
import type { Comparator, Condition, ExpressionKind, Operand, Path } from './syntax.ts'

/** In the orders in which the service lists them. */
const attributeTypes = ['B', 'NULL', 'SS', 'BOOL', 'L', 'BS', 'N', 'NS', 'S', 'M'] as const
const attributeTypesOfStatements = ['N', 'BS', 'L', 'B', 'NULL', 'M', 'S', 'SS', 'NS', 'BOOL'] as const

/** Builds conditions from operands whose names and values are known. It first checks how many operands there are,
 *  then whether they are distinct, then their types. */
export class ConditionBuilder {
  readonly #kind: ExpressionKind

  constructor(kind: ExpressionKind) {
    this.#kind = kind
  }

  compare(operator: Comparator, left: Operand, right: Operand): Condition {
    assertDistinct(this.#kind, operator, left, [right])
    if (operator !== '=' && operator !== '<>') {
      this.#assertOrdered(operator, left)
      this.#assertOrdered(operator, right)
    }
    return { kind: 'compare', operator, left, right }
  }

  between(operand: Operand, lower: Operand, upper: Operand): Condition {
    assertDistinct(this.#kind, 'BETWEEN', operand, [lower, upper])
    for (const bound of [operand, lower, upper]) this.#assertOrdered('BETWEEN', bound)
    if (lower.kind === 'value' && upper.kind === 'value') this.#assertBounds(lower.value, upper.value)
    return { kind: 'between', operand, lower, upper }
  }

  in(operand: Operand, candidates: readonly Operand[]): Condition {
    if (candidates.length > limits.inOperands) {
      const problem = `The IN operator is provided with too many operands; number of operands: ${candidates.length}`
      throw invalidExpression(this.#kind, problem)
    }
    assertDistinct(this.#kind, 'IN', operand, candidates)
    return { kind: 'in', operand, candidates }
  }

  /** A function that is a condition. */
  call(name: string, operands: readonly Operand[]): Condition {
    const unary = name === 'attribute_exists' || name === 'attribute_not_exists'
    this.#assertCount(name, operands, unary ? 1 : 2)
    const first = operandAt(operands, 0)
    assertDistinct(this.#kind, name, first, operands.slice(1))
    switch (name) {
      case 'attribute_exists':
      case 'attribute_not_exists':
        return { kind: name, path: this.#pathOf(name, first) }
      case 'attribute_type':
        // Contrary to its documentation, the service asks for no path here.
        return { kind: name, operand: first, type: this.#typeName(operandAt(operands, 1)) }
      case 'begins_with':
        for (const operand of operands) {
          const type = staticType(operand)
          if (type !== undefined && type !== 'S' && type !== 'B') throw this.#incorrectType(name, type)
        }
        return { kind: name, operand: first, prefix: operandAt(operands, 1) }
      case 'contains':
        return { kind: name, operand: first, sought: operandAt(operands, 1) }
      default:
        throw new Error(`${name} was let pass as a condition`)
    }
  }

  size(operands: readonly Operand[]): Operand {
    this.#assertCount('size', operands, 1)
    const operand = operandAt(operands, 0)
    const type = staticType(operand)
    if (type === 'N' || type === 'BOOL' || type === 'NULL') throw this.#incorrectType('size', type)
    return { kind: 'size', operand }
  }

  #assertCount(name: string, operands: readonly Operand[], count: number): void {
    if (operands.length !== count) throw incorrectOperandCount(this.#kind, name, operands.length)
  }

  #assertBounds(lower: AttributeValue, upper: AttributeValue): void {
    const order = compareScalars(lower, upper)
    if (order !== undefined && order <= 0) return
    const rule =
      order === undefined
        ? 'same data type for lower and upper bounds'
        : 'upper bound to be greater than or equal to lower bound'
    const bounds = `lower bound operand: ${boundText(lower)}, upper bound operand: ${boundText(upper)}`
    throw invalidExpression(this.#kind, `The BETWEEN operator requires ${rule}; ${bounds}`)
  }

  #pathOf(name: string, operand: Operand): Path {
    if (operand.kind !== 'path') throw pathRequired(this.#kind, name)
    return operand.path
  }

  #typeName(operand: Operand): AttributeType {
    const type = staticType(operand)
    if (type !== 'S' || operand.kind !== 'value' || !('S' in operand.value)) {
      throw this.#incorrectType('attribute_type', type ?? '{NS,SS,L,BS,N,M,B,BOOL,NULL,S}')
    }
    const name = operand.value.S
    const names = this.#kind === 'Statement' ? attributeTypesOfStatements : attributeTypes
    const known = names.find((candidate) => candidate === name)
    if (known !== undefined) return known
    const problem = `Invalid attribute type name found; type: ${name}, valid types: {${names.join(',')}}`
    throw invalidExpression(this.#kind, problem)
  }

  #assertOrdered(operator: string, operand: Operand): void {
    const type = staticType(operand)
    if (type === undefined || type === 'S' || type === 'N' || type === 'B') return
    throw this.#incorrectType(operator, type)
  }

  #incorrectType(operator: string, type: string): ServiceError {
    return incorrectOperandType(this.#kind, operator, type)
  }
}

/** The type that an operand has for every item. */
function staticType(operand: Operand): AttributeType | undefined {
  switch (operand.kind) {
    case 'value':
      return typeOf(operand.value)
    case 'size':
      return 'N'
    case 'path':
      return undefined
    default:
      return unreachable(operand)
  }
}

function operandAt(operands: readonly Operand[], position: number): Operand {
  const operand = operands[position]
  if (operand === undefined) throw new Error('operands were counted')
  return operand
}

function boundText(value: AttributeValue): string {
  const type = typeOf(value)
  return `AttributeValue: {${type}:${String(Object.values(value)[0])}}`
}
