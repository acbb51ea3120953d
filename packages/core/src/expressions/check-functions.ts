import { unreachable } from '../errors.ts'
import { invalidExpression } from './invalid-expression.ts'
import type {
  ParsedCall,
  ParsedCondition,
  ParsedOperand,
  ParsedPath,
  ParsedProjection,
  ParsedUpdate,
  ParsedUpdateValue,
} from './parse-tree.ts'
import { isReservedWord } from './reserved-words.ts'
import type { ConditionKind, ExpressionKind } from './syntax.ts'

/** The checks that need neither names nor values. They run once per text, in the order of the text: reserved words,
 *  list indexes, and whether each function exists and is allowed in its position. */

const greatestIndex = 2_147_483_647

export const conditionFunctions: ReadonlySet<string> = new Set([
  'attribute_exists',
  'attribute_not_exists',
  'attribute_type',
  'begins_with',
  'contains',
])
const updateFunctions: ReadonlySet<string> = new Set(['if_not_exists', 'list_append'])

export function checkCondition(kind: ConditionKind, condition: ParsedCondition): void {
  switch (condition.kind) {
    case 'and':
    case 'or':
      for (const term of condition.terms) checkCondition(kind, term)
      return
    case 'not':
      return checkCondition(kind, condition.term)
    case 'compare':
      checkOperand(kind, condition.left)
      return checkOperand(kind, condition.right)
    case 'between':
      checkOperand(kind, condition.operand)
      checkOperand(kind, condition.lower)
      return checkOperand(kind, condition.upper)
    case 'in':
      checkOperand(kind, condition.operand)
      for (const candidate of condition.candidates) checkOperand(kind, candidate)
      return
    case 'call':
      return checkConditionCall(kind, condition, true)
    default:
      return unreachable(condition)
  }
}

export function checkProjection(projection: ParsedProjection): void {
  for (const path of projection.paths) checkPath('ProjectionExpression', path)
}

/** A section that is used twice is reported after what is wrong inside it, and before what is wrong in later ones. */
export function checkUpdate(update: ParsedUpdate): void {
  const seen = new Set<string>()
  for (const { section } of update.clauses) {
    if (seen.has(section)) continue
    seen.add(section)
    const clauses = update.clauses.filter((clause) => clause.section === section)
    for (const clause of clauses) {
      for (const action of clause.actions) {
        checkPath('UpdateExpression', action.path)
        if (action.kind === 'set') checkUpdateValue(action.value)
      }
    }
    if (clauses.length > 1) {
      const problem = `The "${section}" section can only be used once in an update expression;`
      throw invalidExpression('UpdateExpression', problem)
    }
  }
}

function checkOperand(kind: ConditionKind, operand: ParsedOperand): void {
  if (operand.kind === 'path') checkPath(kind, operand)
  else if (operand.kind === 'call') checkConditionCall(kind, operand, false)
}

/** `size` is an operand, every other function a condition. */
function checkConditionCall(kind: ConditionKind, call: ParsedCall, asCondition: boolean): void {
  const isCondition = conditionFunctions.has(call.name)
  if (!isCondition && call.name !== 'size') {
    if (!updateFunctions.has(call.name)) throw unknownFunction(kind, call.name)
    throw invalidExpression(kind, `The function is not allowed in a condition expression; function: ${call.name}`)
  }
  if (isCondition !== asCondition) throw misusedFunction(kind, call.name)
  for (const operand of call.operands) checkOperand(kind, operand)
}

function checkUpdateValue(value: ParsedUpdateValue): void {
  switch (value.kind) {
    case 'path':
      return checkPath('UpdateExpression', value)
    case 'placeholder':
      return
    case 'arithmetic':
      checkListOperand(value.left)
      return checkListOperand(value.right)
    case 'call':
      checkUpdateFunction(value.name)
      for (const operand of value.operands) {
        if (value.name === 'list_append') checkListOperand(operand)
        else checkUpdateValue(operand)
      }
      return
    default:
      return unreachable(value)
  }
}

/** `list_append` can neither be part of a sum nor of another `list_append`. */
function checkListOperand(operand: ParsedUpdateValue): void {
  if (operand.kind === 'call' && operand.name === 'list_append')
    throw misusedFunction('UpdateExpression', operand.name)
  checkUpdateValue(operand)
}

function checkUpdateFunction(name: string): void {
  if (updateFunctions.has(name)) return
  if (name !== 'size' && !conditionFunctions.has(name)) throw unknownFunction('UpdateExpression', name)
  const problem = `The function is not allowed in an update expression; function: ${name}`
  throw invalidExpression('UpdateExpression', problem)
}

function misusedFunction(kind: ExpressionKind, name: string): Error {
  return invalidExpression(
    kind,
    `The function is not allowed to be used this way in an expression; function: ${name}`,
  )
}

function unknownFunction(kind: ExpressionKind, name: string): Error {
  return invalidExpression(kind, `Invalid function name; function: ${name}`)
}

function checkPath(kind: ExpressionKind, path: ParsedPath): void {
  for (const part of path.parts) {
    if (part.kind === 'name' && isReservedWord(part.name)) {
      const problem = `Attribute name is a reserved keyword; reserved keyword: ${part.name}`
      throw invalidExpression(kind, problem)
    }
    if (part.kind === 'index' && part.index > greatestIndex) {
      const problem = `List index is not within the allowable range; index: [${part.text}]`
      throw invalidExpression(kind, problem)
    }
  }
}
