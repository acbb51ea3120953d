import { unreachable } from '../errors.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import type { Condition, Operand } from './syntax.ts'

/** Roughly how many small steps it takes, at most, to check whether an item meets a condition, apart from what
 *  depends on the size of the item. Expressions have few operators, but the legacy forms can name as many attributes
 *  and values as fit into a request, and values can be large in both. */
export function conditionCost(condition: Condition): number {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.terms.reduce((sum, term) => sum + conditionCost(term), 1)
    case 'not':
      return 1 + conditionCost(condition.term)
    case 'compare':
      return 1 + operandCost(condition.left) + operandCost(condition.right)
    case 'between':
      return 2 + operandCost(condition.operand) + operandCost(condition.lower) + operandCost(condition.upper)
    case 'in':
      return condition.candidates.reduce((sum, candidate) => sum + 1 + operandCost(candidate), 1)
    case 'attribute_exists':
    case 'attribute_not_exists':
    case 'attribute_type':
      return 1
    case 'begins_with':
      return 1 + operandCost(condition.operand) + operandCost(condition.prefix)
    case 'contains':
      return 1 + operandCost(condition.operand) + operandCost(condition.sought)
    default:
      return unreachable(condition)
  }
}

function operandCost(operand: Operand): number {
  switch (operand.kind) {
    case 'path':
      return operand.path.length - 1
    case 'value':
      return valueCost(operand.value)
    case 'size':
      return 1 + operandCost(operand.operand)
    default:
      return unreachable(operand)
  }
}

/** Texts are scanned many characters at a time. */
const charactersAStep = 64

function valueCost(value: AttributeValue): number {
  if ('S' in value) return value.S.length / charactersAStep
  if ('B' in value) return value.B.length / charactersAStep
  if ('L' in value) return value.L.length
  if ('M' in value) return Object.keys(value.M).length
  if ('SS' in value) return value.SS.length
  if ('NS' in value) return value.NS.length
  return 'BS' in value ? value.BS.length : 0
}
