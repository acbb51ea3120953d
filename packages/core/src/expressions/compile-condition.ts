import type { ServiceError } from '../errors.ts'
import { unreachable } from '../errors.ts'
import { limits } from '../limits.ts'
import type { AttributeType, AttributeValue } from '../values/attribute-value.ts'
import { typeOf } from '../values/attribute-value.ts'
import { compareScalars } from '../values/compare-values.ts'
import { assertDistinct, bindPath, bindValue } from './bind-operands.ts'
import { checkCondition } from './check-functions.ts'
import type { ExpressionScope } from './expression-scope.ts'
import {
  incorrectOperandCount,
  incorrectOperandType,
  invalidExpression,
  pathRequired,
} from './invalid-expression.ts'
import { ParseCache } from './parse-cache.ts'
import { parseCondition } from './parse-condition.ts'
import type { ParsedCall, ParsedCondition, ParsedOperand } from './parse-tree.ts'
import type { Condition, ConditionKind, Operand, Path } from './syntax.ts'

/** Compiles a condition: parses it, or remembers having parsed it, and puts this request's names and values in. */
export function compileCondition(text: string, kind: ConditionKind, scope: ExpressionScope): Condition {
  return new ConditionBinder(kind, scope).condition(caches[kind].get(text))
}

const caches: Readonly<Record<ConditionKind, ParseCache<ParsedCondition>>> = {
  ConditionExpression: cacheOf('ConditionExpression'),
  FilterExpression: cacheOf('FilterExpression'),
  KeyConditionExpression: cacheOf('KeyConditionExpression'),
}

function cacheOf(kind: ConditionKind): ParseCache<ParsedCondition> {
  return new ParseCache(kind, (text) => {
    const condition = parseCondition(kind, text)
    checkCondition(kind, condition)
    return condition
  })
}

/** In the order in which the service lists them. */
const attributeTypes = ['B', 'NULL', 'SS', 'BOOL', 'L', 'BS', 'N', 'NS', 'S', 'M'] as const

/** Each condition is finished before the next is looked at: its placeholders, then its operand counts, whether operands
 *  are distinct, and their types. */
class ConditionBinder {
  readonly #kind: ConditionKind
  readonly #scope: ExpressionScope

  constructor(kind: ConditionKind, scope: ExpressionScope) {
    this.#kind = kind
    this.#scope = scope
  }

  condition(parsed: ParsedCondition): Condition {
    switch (parsed.kind) {
      case 'and':
      case 'or':
        return { kind: parsed.kind, terms: parsed.terms.map((term) => this.condition(term)) }
      case 'not':
        return { kind: 'not', term: this.condition(parsed.term) }
      case 'compare': {
        const left = this.#operand(parsed.left)
        const right = this.#operand(parsed.right)
        assertDistinct(this.#kind, parsed.operator, left, [right])
        if (parsed.operator !== '=' && parsed.operator !== '<>') {
          this.#assertOrdered(parsed.operator, left)
          this.#assertOrdered(parsed.operator, right)
        }
        return { kind: 'compare', operator: parsed.operator, left, right }
      }
      case 'between':
        return this.#between(
          this.#operand(parsed.operand),
          this.#operand(parsed.lower),
          this.#operand(parsed.upper),
        )
      case 'in':
        return this.#in(
          this.#operand(parsed.operand),
          parsed.candidates.map((candidate) => this.#operand(candidate)),
        )
      case 'call':
        return this.#call(parsed)
      default:
        return unreachable(parsed)
    }
  }

  #operand(parsed: ParsedOperand): Operand {
    switch (parsed.kind) {
      case 'path':
        return { kind: 'path', path: bindPath(this.#kind, parsed, this.#scope) }
      case 'placeholder':
        return { kind: 'value', value: bindValue(this.#kind, parsed, this.#scope) }
      case 'call':
        // Every other function was refused in this place.
        return this.#size(parsed)
      default:
        return unreachable(parsed)
    }
  }

  #size(call: ParsedCall): Operand {
    const operands = this.#operands(call, 1)
    const operand = operandAt(operands, 0)
    const type = staticType(operand)
    if (type === 'N' || type === 'BOOL' || type === 'NULL') throw incorrectOperandType(this.#kind, 'size', type)
    return { kind: 'size', operand }
  }

  #between(operand: Operand, lower: Operand, upper: Operand): Condition {
    assertDistinct(this.#kind, 'BETWEEN', operand, [lower, upper])
    for (const bound of [operand, lower, upper]) this.#assertOrdered('BETWEEN', bound)
    if (lower.kind === 'value' && upper.kind === 'value') this.#assertBounds(lower.value, upper.value)
    return { kind: 'between', operand, lower, upper }
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

  #in(operand: Operand, candidates: readonly Operand[]): Condition {
    if (candidates.length > limits.inOperands) {
      const problem = `The IN operator is provided with too many operands; number of operands: ${candidates.length}`
      throw invalidExpression(this.#kind, problem)
    }
    assertDistinct(this.#kind, 'IN', operand, candidates)
    return { kind: 'in', operand, candidates }
  }

  #call(call: ParsedCall): Condition {
    const { name } = call
    const unary = name === 'attribute_exists' || name === 'attribute_not_exists'
    const operands = this.#operands(call, unary ? 1 : 2)
    const first = operandAt(operands, 0)
    assertDistinct(this.#kind, name, first, operands.slice(1))
    switch (name) {
      case 'attribute_exists':
      case 'attribute_not_exists':
        return { kind: name, path: this.#pathOf(name, first) }
      case 'attribute_type': {
        const path = this.#pathOf(name, first)
        return { kind: name, path, type: this.#typeName(operandAt(operands, 1)) }
      }
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

  #operands(call: ParsedCall, count: number): readonly Operand[] {
    const operands = call.operands.map((operand) => this.#operand(operand))
    if (operands.length !== count) throw incorrectOperandCount(this.#kind, call.name, operands.length)
    return operands
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
    const known = attributeTypes.find((candidate) => candidate === name)
    if (known !== undefined) return known
    const problem = `Invalid attribute type name found; type: ${name}, valid types: {${attributeTypes.join(',')}}`
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

/** The type that an operand has whatever the item is. */
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
