import { unreachable, validationException } from '../errors.ts'
import type { Condition, Operand, Path, Update, UpdateOperand } from './syntax.ts'
import { pathHead } from './syntax.ts'

/** The filter of a Query may not name the key attributes of what is queried: conditions on them belong in the key
 *  condition. */
export function assertFilterAvoidsKeys(
  filter: Condition,
  keyNames: readonly string[],
  member: 'Filter Expression' | 'QueryFilter',
): void {
  const heads = new Set(conditionPaths(filter).map(pathHead))
  for (const name of keyNames) {
    if (!heads.has(name)) continue
    throw validationException(
      `${member} can only contain non-primary key attributes: Primary key attribute: ${name}`,
    )
  }
}

/** Keys are scalars: no path may lead into one. `role` says whether the names are of the table's key or an index's. */
export function assertKeysNotNested(
  paths: readonly Path[],
  keyNames: readonly string[],
  role: 'Key' | 'IndexKey',
): void {
  for (const name of keyNames) {
    if (!paths.some((path) => path.length > 1 && pathHead(path) === name)) continue
    throw validationException(
      `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: ${role}: ${name}`,
    )
  }
}

/** Every path in a condition. */
export function conditionPaths(condition: Condition): readonly Path[] {
  const paths: Path[] = []
  collect(condition, paths)
  return paths
}

/** Every path in an update, of targets and of values. */
export function updatePaths(update: Update): readonly Path[] {
  const paths: Path[] = []
  for (const action of update.actions) {
    paths.push(action.path)
    if (action.kind === 'set') collectUpdateOperand(action.value, paths)
  }
  return paths
}

function collect(condition: Condition, paths: Path[]): void {
  switch (condition.kind) {
    case 'and':
    case 'or':
      for (const term of condition.terms) collect(term, paths)
      return
    case 'not':
      return collect(condition.term, paths)
    case 'compare':
      return collectOperands([condition.left, condition.right], paths)
    case 'between':
      return collectOperands([condition.operand, condition.lower, condition.upper], paths)
    case 'in':
      collectOperands([condition.operand], paths)
      return collectOperands(condition.candidates, paths)
    case 'begins_with':
      return collectOperands([condition.operand, condition.prefix], paths)
    case 'contains':
      return collectOperands([condition.operand, condition.sought], paths)
    case 'attribute_exists':
    case 'attribute_not_exists':
      paths.push(condition.path)
      return
    case 'attribute_type':
      return collectOperands([condition.operand], paths)
    default:
      return unreachable(condition)
  }
}

function collectOperands(operands: readonly Operand[], paths: Path[]): void {
  for (const operand of operands) {
    if (operand.kind === 'path') paths.push(operand.path)
    else if (operand.kind === 'size') collectOperands([operand.operand], paths)
  }
}

function collectUpdateOperand(operand: UpdateOperand, paths: Path[]): void {
  switch (operand.kind) {
    case 'value':
      return
    case 'path':
      paths.push(operand.path)
      return
    case 'if_not_exists':
      paths.push(operand.path)
      return collectUpdateOperand(operand.otherwise, paths)
    case 'arithmetic':
      collectUpdateOperand(operand.left, paths)
      return collectUpdateOperand(operand.right, paths)
    case 'list_append':
      collectUpdateOperand(operand.first, paths)
      return collectUpdateOperand(operand.second, paths)
    default:
      return unreachable(operand)
  }
}
