import { assertPathsApart } from '../expressions/path-overlap.ts'
import type { Path, Update, UpdateAction, UpdateOperand } from '../expressions/syntax.ts'
import { arithmetic, updateFunction } from '../expressions/update-operands.ts'
import type { AttributeValue } from '../values/attribute-value.ts'
import { isLiteral, literalValue } from './literal-value.ts'
import { refusedAt } from './statement-errors.ts'
import { statementPath } from './statement-path.ts'
import type { CallExpression, Change, Expression } from './syntax.ts'

/** The update that the SET and REMOVE clauses of a statement mean. */
export function translateUpdate(changes: readonly Change[], parameters: readonly AttributeValue[]): Update {
  const actions = changes.map((change) => actionOf(change, parameters))
  assertPathsApart(
    'Statement',
    actions.map(({ path }) => path),
  )
  return { origin: 'UpdateExpression', actions }
}

function actionOf(change: Change, parameters: readonly AttributeValue[]): UpdateAction {
  const path = statementPath(change.path)
  if (change.kind === 'remove') return { kind: 'remove', path }
  const { value } = change
  if (value.kind === 'call' && (value.name === 'set_add' || value.name === 'set_delete')) {
    return { kind: value.name === 'set_add' ? 'add' : 'delete', path, value: setOperand(value, path, parameters) }
  }
  return { kind: 'set', path, value: operandOf(value, parameters) }
}

/** `SET a = set_add(a, <<…>>)`: what is assigned to is also what is added to. */
function setOperand(call: CallExpression, target: Path, parameters: readonly AttributeValue[]): AttributeValue {
  const name = call.name.toUpperCase()
  const [first, second, ...rest] = call.operands
  if (first === undefined || second === undefined || rest.length > 0) {
    throw refusedAt(`${name} must have exactly two arguments`, call.at)
  }
  if (first.kind !== 'path' || !samePath(statementPath(first), target)) {
    throw refusedAt(`The first argument to ${name} must equal the assignment value`, call.at)
  }
  const value = isLiteral(second) ? literalValue(second, parameters) : undefined
  if (value !== undefined && ('SS' in value || 'NS' in value || 'BS' in value)) return value
  throw refusedAt(`The second argument to ${name} must be a value with type SET`, first.at)
}

/** Recursion is bounded by the parser. */
function operandOf(expression: Expression, parameters: readonly AttributeValue[]): UpdateOperand {
  if (expression.kind === 'path') return { kind: 'path', path: statementPath(expression) }
  if (expression.kind === 'call') return callOperand(expression, parameters)
  if (expression.kind === 'operation') {
    const { operator } = expression
    const [left, right] = expression.operands
    if (left !== undefined && right !== undefined && (operator === '+' || operator === '-')) {
      return arithmetic('Statement', operator, operandOf(left, parameters), operandOf(right, parameters))
    }
    throw refusedAt(`Unrecognized function: ${operator}`, expression.at)
  }
  return { kind: 'value', value: literalValue(expression, parameters) }
}

function callOperand(call: CallExpression, parameters: readonly AttributeValue[]): UpdateOperand {
  const { name } = call
  if (name !== 'list_append' && name !== 'if_not_exists') {
    throw refusedAt(`Unrecognized function: ${name}`, call.at)
  }
  return updateFunction(
    'Statement',
    name,
    call.operands.map((operand) => operandOf(operand, parameters)),
  )
}

function samePath(one: Path, other: Path): boolean {
  if (one.length !== other.length) return false
  return one.every((segment, position) => {
    const counterpart = other[position]
    if (segment.kind === 'name') return counterpart?.kind === 'name' && counterpart.name === segment.name
    return counterpart?.kind === 'index' && counterpart.index === segment.index
  })
}
