import type { ServiceError } from '../errors.ts'
import { validationException } from '../errors.ts'
import type { AttributeValue, KeyAttributeType } from '../values/attribute-value.ts'
import { typeOf } from '../values/attribute-value.ts'
import type { AskedTerm, KeyTerm } from './syntax.ts'

/** The key of a table or an index: one hash and at most one range attribute, or up to four of each in a global secondary
 *  index. */
export interface KeyShape {
  readonly hash: readonly string[]
  readonly range: readonly string[]
  readonly types: Readonly<Record<string, KeyAttributeType>>
}

export interface KeyRange {
  /** One for each hash attribute. */
  readonly hashValues: readonly AttributeValue[]
  /** For the first range attributes, which must be equal. Shorter than the range key if a condition follows or the
   *  rest is not restricted. */
  readonly rangeEquals: readonly AttributeValue[]
  /** On the range attribute after those; its operator is never `=`. */
  readonly rangeCondition?: KeyTerm
}

/** Finds which part of the key a Query asks for: `=` on every hash attribute, and on the range attributes, from the
 *  left and without gaps, `=` on all but the last one used. */
export function matchKeyConditions(terms: readonly AskedTerm[], shape: KeyShape): KeyRange {
  if (terms.length === 0) throw validationException('Conditions can be of length 1 or 2 only')
  const keyAttributes = shape.hash.length + shape.range.length
  if (terms.length > keyAttributes) {
    throw validationException(
      `The number of query conditions (${terms.length}) exceeds the number of key attributes defined in the schema (${keyAttributes})`,
    )
  }
  if (shape.hash.length > 1) assertWholeHash(terms, shape.hash)
  const hashValues = shape.hash.map((attribute) => {
    const term = indexableTerm(terms, attribute)
    assertValues(term, shape)
    if (term.operator !== '=') throw unsupported()
    return onlyValue(term)
  })
  return matchRange(terms, shape, hashValues)
}

function matchRange(terms: readonly AskedTerm[], shape: KeyShape, hashValues: readonly AttributeValue[]): KeyRange {
  if (shape.range.length > 1) assertPrefix(terms, shape.range)
  const rangeEquals: AttributeValue[] = []
  let rangeCondition: KeyTerm | undefined
  let left = terms.length - hashValues.length
  for (const attribute of shape.range) {
    if (left === 0) break
    const term = indexableTerm(terms, attribute)
    assertValues(term, shape)
    if (rangeCondition !== undefined) throw unsupported()
    if (term.operator === '=') rangeEquals.push(onlyValue(term))
    else rangeCondition = term
    left--
  }
  // The remaining terms name attributes that are not part of this key.
  if (left > 0) throw unsupported()
  return rangeCondition === undefined ? { hashValues, rangeEquals } : { hashValues, rangeEquals, rangeCondition }
}

function indexableTerm(terms: readonly AskedTerm[], attribute: string): KeyTerm {
  const term = terms.find((candidate) => candidate.attribute === attribute)
  if (term === undefined) throw missed(attribute)
  const { operator, values } = term
  if (operator === undefined) {
    throw validationException('Attempted conditional constraint is not an indexable operation')
  }
  return { attribute, operator, values }
}

/** Of several hash attributes, each must be equal to something. */
function assertWholeHash(terms: readonly AskedTerm[], hash: readonly string[]): void {
  const isGiven = (attribute: string): boolean =>
    terms.some((term) => term.attribute === attribute && term.operator === '=')
  const lacking = hash.filter((attribute) => !isGiven(attribute))
  if (lacking.length === 0) return
  throw validationException(
    `HASH key attributes ${lacking.join(', ')} must have equality conditions specified in the query`,
  )
}

/** Of several range attributes, all before the last that is used must be equal to something. */
function assertPrefix(terms: readonly AskedTerm[], range: readonly string[]): void {
  const used = range.map((attribute) => terms.find((term) => term.attribute === attribute))
  const last = used.findLastIndex((term) => term !== undefined)
  const lacking = range.slice(0, Math.max(0, last)).filter((_, position) => used[position]?.operator !== '=')
  if (lacking.length === 0) return
  throw validationException(
    `RANGE key attributes ${lacking.join(', ')} must have equality conditions specified in the query because a condition is present on key attribute ${range[last]}`,
  )
}

function assertValues(term: KeyTerm, shape: KeyShape): void {
  const type = shape.types[term.attribute]
  for (const value of term.values) {
    if (typeOf(value) !== type) {
      throw validationException(
        'One or more parameter values were invalid: Condition parameter type does not match schema type',
      )
    }
    const empty = 'S' in value && value.S === '' ? 'string' : 'B' in value && value.B === '' ? 'binary' : undefined
    if (empty !== undefined) {
      throw validationException(
        'One or more parameter values are not valid. ' +
          `The AttributeValue for a key attribute cannot contain an empty ${empty} value. Key: ${term.attribute}`,
      )
    }
  }
}

function onlyValue(term: KeyTerm): AttributeValue {
  const [value] = term.values
  if (value === undefined) throw new Error('an equality has a value')
  return value
}

function missed(attribute: string): ServiceError {
  return validationException(`Query condition missed key schema element: ${attribute}`)
}

function unsupported(): ServiceError {
  return validationException('Query key condition not supported')
}
