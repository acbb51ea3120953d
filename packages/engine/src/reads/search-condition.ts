import {
  compileCondition,
  pathHead,
  typeOf,
  validationException,
  type AttributeValue,
  type Condition,
  type ExpressionScope,
} from '@hashrange/core'
import type { TableDefinition, VectorIndexDefinition } from '../definitions/table-definition.ts'
import { emptyKey, emptyKind } from '../items/check-schema.ts'

/** The condition of a search: values of attributes, and nothing but these. */
export interface SearchCondition {
  readonly condition: Condition
  readonly terms: readonly SearchTerm[]
}

interface SearchTerm {
  readonly name: string
  readonly isNested: boolean
  readonly value: AttributeValue
}

export function readSearchCondition(text: string | undefined, scope: ExpressionScope): SearchCondition | undefined {
  if (text === undefined) return undefined
  const condition = compileCondition(text, 'SearchConditionExpression', scope)
  return { condition, terms: termsOf(condition) }
}

function termsOf(condition: Condition): readonly SearchTerm[] {
  if (condition.kind === 'and') return condition.terms.flatMap(termsOf)
  if (condition.kind !== 'compare' || condition.operator !== '=') throw invalidComparator()
  const { left, right } = condition
  const [attribute, operand] = left.kind === 'path' ? [left, right] : [right, left]
  if (attribute.kind !== 'path' || operand.kind !== 'value') throw invalidComparator()
  const { path } = attribute
  return [{ name: pathHead(path), isNested: path.length > 1, value: operand.value }]
}

/** It names attributes of the index's search schema, each at most once, and has the one with the role HASH. */
export function checkSearchCondition(
  { attributeTypes }: TableDefinition,
  { searchSchema = [] }: VectorIndexDefinition,
  terms: readonly SearchTerm[],
): void {
  const foreign = terms.find(({ name }) => !searchSchema.some(({ attributeName }) => attributeName === name))
  if (foreign !== undefined) {
    throw validationException(
      `SearchConditionExpression must not contain any attributes that is not in SearchSchema. Invalid attribute: ${foreign.name}`,
    )
  }
  if (terms.some(({ isNested }) => isNested)) {
    throw invalidCondition('SearchConditionExpression cannot have conditions on nested attributes')
  }
  if (new Set(terms.map(({ name }) => name)).size < terms.length) {
    throw invalidCondition('SearchConditionExpression must only contain one condition per attribute')
  }
  const hash = searchSchema.find(({ kind }) => kind === 'HASH')?.attributeName
  if (hash !== undefined && !terms.some(({ name }) => name === hash)) {
    throw validationException(
      terms.length === 0
        ? 'SearchConditionExpression must be provided when SearchSchema has a HASH key'
        : 'SearchConditionExpression must have all HASH attributes in configured SearchSchema',
    )
  }
  for (const { name, value } of terms) {
    const type = attributeTypes[name] ?? 'S'
    if (!(type in value)) {
      throw validationException(
        `Type of '${name}' attribute in SearchConditionExpression (${typeOf(value)}) does not match type in search schema (${type})`,
      )
    }
    const empty = name === hash ? emptyKind(value) : undefined
    if (empty !== undefined) throw emptyKey(empty, name)
  }
}

function invalidComparator(): Error {
  return invalidCondition('Invalid comparator used in SearchConditionExpression')
}

function invalidCondition(what: string): Error {
  return validationException(`Invalid SearchConditionExpression: ${what}`)
}
