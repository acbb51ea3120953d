import { unreachable, validationException } from '../errors.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { addNumbers, subtractNumbers } from '../values/number.ts'
import { readPath } from './read-path.ts'
import type { UpdateOperand } from './syntax.ts'

/** The value of the right-hand side of a SET. Recursion is bounded: an expression has at most 300 operators. */
export function evaluateOperand(operand: UpdateOperand, item: Item): AttributeValue {
  switch (operand.kind) {
    case 'value':
      return operand.value
    case 'path': {
      const value = readPath(operand.path, item)
      if (value !== undefined) return value
      throw validationException('The provided expression refers to an attribute that does not exist in the item')
    }
    case 'if_not_exists':
      return readPath(operand.path, item) ?? evaluateOperand(operand.otherwise, item)
    case 'arithmetic': {
      const left = numberOf(evaluateOperand(operand.left, item))
      const right = numberOf(evaluateOperand(operand.right, item))
      return { N: operand.operator === '+' ? addNumbers(left, right) : subtractNumbers(left, right) }
    }
    case 'list_append': {
      const first = listOf(evaluateOperand(operand.first, item))
      return { L: first.concat(listOf(evaluateOperand(operand.second, item))) }
    }
    default:
      return unreachable(operand)
  }
}

export function incorrectDataType(): Error {
  return validationException('An operand in the update expression has an incorrect data type')
}

function numberOf(value: AttributeValue): string {
  if (!('N' in value)) throw incorrectDataType()
  return value.N
}

function listOf(value: AttributeValue): readonly AttributeValue[] {
  if (!('L' in value)) throw incorrectDataType()
  return value.L
}
