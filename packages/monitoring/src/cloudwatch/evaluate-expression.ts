import { unreachable } from '@hashrange/core'
import { callFunction } from './expression-functions.ts'
import { ExpressionError, type BinaryOperator, type Expression } from './expression-syntax.ts'
import {
  mapResult,
  scalar,
  seriesOf,
  sizeOf,
  type ExpressionContext,
  type Result,
  type Series,
} from './time-series.ts'

export function evaluateExpression(expression: Expression, context: ExpressionContext): Result {
  const result = resultOf(expression, context)
  context.spend(sizeOf(result))
  return result
}

function resultOf(expression: Expression, context: ExpressionContext): Result {
  switch (expression.kind) {
    case 'number':
      return scalar(expression.value)
    case 'text':
      throw new ExpressionError('a text is not a value')
    case 'name':
      return context.valueOf(expression.name)
    case 'list':
      return {
        kind: 'array',
        all: expression.elements.flatMap((element) => seriesOf(evaluateExpression(element, context))),
      }
    case 'negate':
      return mapResult(evaluateExpression(expression.operand, context), (value) => -value)
    case 'not':
      return mapResult(evaluateExpression(expression.operand, context), (value) => (value === 0 ? 1 : 0))
    case 'binary':
      return combine(
        expression.operator,
        evaluateExpression(expression.left, context),
        evaluateExpression(expression.right, context),
      )
    case 'call':
      return callFunction(expression.name, expression.operands, context)
    default:
      return unreachable(expression)
  }
}

function combine(operator: BinaryOperator, left: Result, right: Result): Result {
  const operation = operations[operator]
  if (right.kind === 'scalar') return mapResult(left, (value) => operation(value, right.value))
  if (left.kind === 'scalar') return mapResult(right, (value) => operation(left.value, value))
  if (left.kind === 'series' && right.kind === 'series') {
    return { kind: 'series', series: combineSeries(operation, left.series, right.series) }
  }
  if (left.kind === 'array' && right.kind === 'array') {
    if (left.all.length !== right.all.length) throw new ExpressionError('two lists differ in length')
    const all = left.all.map((series, index) => combineSeries(operation, series, right.all[index] ?? series))
    return { kind: 'array', all }
  }
  if (left.kind === 'array' && right.kind === 'series') {
    return { kind: 'array', all: left.all.map((series) => combineSeries(operation, series, right.series)) }
  }
  const all = seriesOf(right).map((series) => seriesOf(left).map((one) => combineSeries(operation, one, series)))
  return { kind: 'array', all: all.flat() }
}

/** At the times that both have. */
function combineSeries(operation: Operation, left: Series, right: Series): Series {
  const values = new Map<number, number>()
  for (const [atMs, value] of left.values) {
    const other = right.values.get(atMs)
    const combined = other === undefined ? Number.NaN : operation(value, other)
    if (Number.isFinite(combined)) values.set(atMs, combined)
  }
  return { ...left, periodMs: Math.max(left.periodMs, right.periodMs), values }
}

type Operation = (left: number, right: number) => number

const operations: Readonly<Record<BinaryOperator, Operation>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '^': (left, right) => left ** right,
  '<': (left, right) => Number(left < right),
  '<=': (left, right) => Number(left <= right),
  '>': (left, right) => Number(left > right),
  '>=': (left, right) => Number(left >= right),
  '==': (left, right) => Number(left === right),
  '!=': (left, right) => Number(left !== right),
  '&&': (left, right) => Number(left !== 0 && right !== 0),
  '||': (left, right) => Number(left !== 0 || right !== 0),
}
