import type { AttributeType } from '../values/attribute-value.ts'
import { typeOf } from '../values/attribute-value.ts'
import { assertDistinct } from './bind-operands.ts'
import { incorrectOperandCount, incorrectOperandType, pathRequired } from './invalid-expression.ts'
import type { ExpressionKind, UpdateOperand } from './syntax.ts'

/** What a SET computes from operands whose names and values are known. */

export function arithmetic(
  kind: ExpressionKind,
  operator: '+' | '-',
  left: UpdateOperand,
  right: UpdateOperand,
): UpdateOperand {
  assertType(kind, operator, left, 'N')
  assertType(kind, operator, right, 'N')
  return { kind: 'arithmetic', operator, left, right }
}

export function updateFunction(
  kind: ExpressionKind,
  name: 'if_not_exists' | 'list_append',
  operands: readonly UpdateOperand[],
): UpdateOperand {
  const [first, second] = operands
  if (first === undefined || second === undefined || operands.length !== 2) {
    throw incorrectOperandCount(kind, name, operands.length)
  }
  if (name === 'if_not_exists') {
    if (first.kind !== 'path') throw pathRequired(kind, name)
    assertDistinct(kind, name, first, [second])
    return { kind: 'if_not_exists', path: first.path, otherwise: second }
  }
  assertType(kind, 'list_append', first, 'L')
  assertType(kind, 'list_append', second, 'L')
  return { kind: 'list_append', first, second }
}

/** Only the type of a plain value is known before there is an item. */
function assertType(kind: ExpressionKind, operator: string, operand: UpdateOperand, expected: AttributeType): void {
  if (operand.kind !== 'value') return
  const type = typeOf(operand.value)
  if (type !== expected) throw incorrectOperandType(kind, operator, type)
}
