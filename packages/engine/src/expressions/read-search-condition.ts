import {
  compileCondition,
  conditionPaths,
  pathHead,
  validationException,
  type Condition,
  type ExpressionScope,
  type Operand,
} from '@hashrange/core'
import type { VectorIndexDefinition } from '../definitions/table-definition.ts'

/** The condition of a search. It may only name attributes of the index's search schema, and must give those with the role
 *  HASH a value. */
export function readSearchCondition(text: string | undefined, scope: ExpressionScope): Condition | undefined {
  return text === undefined ? undefined : compileCondition(text, 'SearchConditionExpression', scope)
}

export function checkSearchCondition(index: VectorIndexDefinition, condition: Condition | undefined): void {
  const { indexName, searchSchema = [] } = index
  const names = new Set(searchSchema.map(({ attributeName }) => attributeName))
  const hashes = searchSchema.filter(({ kind }) => kind === 'HASH').map(({ attributeName }) => attributeName)
  const paths = condition === undefined ? [] : conditionPaths(condition)
  for (const path of paths) {
    const name = pathHead(path)
    if (path.length === 1 && names.has(name)) continue
    throw validationException(
      `SearchConditionExpression can only reference top-level attributes of the search schema of the vector index: ${indexName}. Attribute: ${name}`,
    )
  }
  const terms = condition === undefined ? [] : condition.kind === 'and' ? condition.terms : [condition]
  for (const hash of hashes) {
    const isNamedOnce = paths.filter((path) => pathHead(path) === hash).length === 1
    if (isNamedOnce && terms.some((term) => isEquality(term, hash))) continue
    throw validationException(
      `SearchConditionExpression must specify the HASH attribute of the vector index with the equality operator (=). Attribute: ${hash}`,
    )
  }
}

function isEquality(term: Condition, name: string): boolean {
  if (term.kind !== 'compare' || term.operator !== '=') return false
  const isName = (operand: Operand): boolean => operand.kind === 'path' && pathHead(operand.path) === name
  const { left, right } = term
  return (isName(left) && right.kind === 'value') || (isName(right) && left.kind === 'value')
}
