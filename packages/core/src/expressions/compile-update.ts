import { unreachable } from '../errors.ts'
import type { AttributeType, AttributeValue } from '../values/attribute-value.ts'
import { typeOf } from '../values/attribute-value.ts'
import { bindPath, bindValue } from './bind-operands.ts'
import { checkUpdate } from './check-functions.ts'
import type { ExpressionScope } from './expression-scope.ts'
import { invalidExpression } from './invalid-expression.ts'
import { ParseCache } from './parse-cache.ts'
import type { ParsedAction, ParsedCall, ParsedUpdateValue } from './parse-tree.ts'
import { parseUpdate } from './parse-update.ts'
import { assertPathsApart } from './path-overlap.ts'
import type { Path, Update, UpdateAction, UpdateOperand } from './syntax.ts'
import { arithmetic, updateFunction } from './update-operands.ts'

const kind = 'UpdateExpression'

const cache = new ParseCache(kind, (text) => {
  const update = parseUpdate(text)
  checkUpdate(update)
  return update.clauses.flatMap((clause) => clause.actions)
})

/** Compiles an update. The service checks all target paths first, then the values, from the last action to the first.
 *  This decides which of several mistakes is reported. */
export function compileUpdate(text: string, scope: ExpressionScope): Update {
  const parsed = cache.get(text)
  const paths = parsed.map((action) => bindPath(kind, action.path, scope))
  assertPathsApart(kind, paths)
  for (const action of parsed.toReversed()) {
    if (action.kind === 'set') bindNames(action.value, scope)
  }
  const actions: UpdateAction[] = []
  for (let position = parsed.length - 1; position >= 0; position--) {
    const action = parsed[position]
    const path = paths[position]
    if (action !== undefined && path !== undefined) actions.push(bindAction(action, path, scope))
  }
  return { origin: kind, actions: actions.toReversed() }
}

/** Undefined names are reported before undefined values. */
function bindNames(value: ParsedUpdateValue, scope: ExpressionScope): void {
  switch (value.kind) {
    case 'path':
      if (value.fixed === undefined) bindPath(kind, value, scope)
      return
    case 'placeholder':
      return
    case 'arithmetic':
      bindNames(value.left, scope)
      return bindNames(value.right, scope)
    case 'call':
      for (const operand of value.operands) bindNames(operand, scope)
      return
    default:
      return unreachable(value)
  }
}

function bindAction(action: ParsedAction, path: Path, scope: ExpressionScope): UpdateAction {
  switch (action.kind) {
    case 'set':
      return { kind: 'set', path, value: bindOperand(action.value, scope) }
    case 'remove':
      return { kind: 'remove', path }
    case 'add':
      return { kind: 'add', path, value: acceptable('ADD', bindValue(kind, action.value, scope)) }
    case 'delete':
      return { kind: 'delete', path, value: acceptable('DELETE', bindValue(kind, action.value, scope)) }
    default:
      return unreachable(action)
  }
}

function bindOperand(value: ParsedUpdateValue, scope: ExpressionScope): UpdateOperand {
  switch (value.kind) {
    case 'path':
      return { kind: 'path', path: bindPath(kind, value, scope) }
    case 'placeholder':
      return { kind: 'value', value: bindValue(kind, value, scope) }
    case 'arithmetic':
      return arithmetic(kind, value.operator, bindOperand(value.left, scope), bindOperand(value.right, scope))
    case 'call':
      return bindCall(value, scope)
    default:
      return unreachable(value)
  }
}

function bindCall(call: ParsedCall, scope: ExpressionScope): UpdateOperand {
  const operands = call.operands.map((operand) => bindOperand(operand, scope))
  return updateFunction(kind, call.name === 'if_not_exists' ? 'if_not_exists' : 'list_append', operands)
}

const longTypeNames: Readonly<Partial<Record<AttributeType, string>>> = {
  S: 'STRING',
  N: 'NUMBER',
  B: 'BINARY',
  BOOL: 'BOOLEAN',
  NULL: 'NULL',
  L: 'LIST',
  M: 'MAP',
}

/** ADD takes numbers and sets, DELETE sets. */
function acceptable(operator: 'ADD' | 'DELETE', value: AttributeValue): AttributeValue {
  const type = typeOf(value)
  const longName = longTypeNames[type]
  if (longName === undefined || (type === 'N' && operator === 'ADD')) return value
  const subject = `operator: ${operator}, operand type: ${longName}, typeSet: ALLOWED_FOR_${operator}_OPERAND`
  throw invalidExpression(kind, `Incorrect operand type for operator or function; ${subject}`)
}
