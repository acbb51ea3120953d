import { unreachable } from '../errors.ts'
import type { AttributeValue, Item } from '../values/attribute-value.ts'
import { typeOf } from '../values/attribute-value.ts'
import { base64ByteLength, base64Characters, decodeBase64 } from '../values/base64.ts'
import { compareScalars, equalValues } from '../values/compare-values.ts'
import { includesText } from '../values/includes-text.ts'
import { readPath } from './read-path.ts'
import type { Comparator, Condition, Operand } from './syntax.ts'

/** Whether an item meets a condition; an item that does not exist is the empty one. An attribute that is missing or of
 *  another type makes a condition false, except that it is unequal (`<>`) to everything.
 *  Recursion is bounded: the parser refuses nesting beyond limits.ts. */
export function holds(condition: Condition, item: Item): boolean {
  switch (condition.kind) {
    case 'and':
      for (const term of condition.terms) if (!holds(term, item)) return false
      return true
    case 'or':
      for (const term of condition.terms) if (holds(term, item)) return true
      return false
    case 'not':
      return !holds(condition.term, item)
    case 'compare':
      return compare(condition.operator, valueOf(condition.left, item), valueOf(condition.right, item))
    case 'between': {
      const value = valueOf(condition.operand, item)
      return (
        compare('>=', value, valueOf(condition.lower, item)) && compare('<=', value, valueOf(condition.upper, item))
      )
    }
    case 'in': {
      const value = valueOf(condition.operand, item)
      if (value === undefined) return false
      for (const candidate of condition.candidates) if (compare('=', value, valueOf(candidate, item))) return true
      return false
    }
    case 'attribute_exists':
      return readPath(condition.path, item) !== undefined
    case 'attribute_not_exists':
      return readPath(condition.path, item) === undefined
    case 'attribute_type': {
      const value = valueOf(condition.operand, item)
      return value !== undefined && typeOf(value) === condition.type
    }
    case 'begins_with':
      return beginsWith(valueOf(condition.operand, item), valueOf(condition.prefix, item))
    case 'contains':
      return contains(valueOf(condition.operand, item), valueOf(condition.sought, item))
    default:
      return unreachable(condition)
  }
}

function valueOf(operand: Operand, item: Item): AttributeValue | undefined {
  switch (operand.kind) {
    case 'path':
      return readPath(operand.path, item)
    case 'value':
      return operand.value
    case 'size':
      return sizeOf(valueOf(operand.operand, item))
    default:
      return unreachable(operand)
  }
}

/** Characters of a string, bytes of a binary, members of everything else that has any. */
function sizeOf(value: AttributeValue | undefined): AttributeValue | undefined {
  if (value === undefined) return undefined
  if ('S' in value) return { N: String(value.S.length) }
  if ('B' in value) return { N: String(base64ByteLength(value.B)) }
  if ('L' in value) return { N: String(value.L.length) }
  if ('M' in value) return { N: String(Object.keys(value.M).length) }
  if ('SS' in value) return { N: String(value.SS.length) }
  if ('NS' in value) return { N: String(value.NS.length) }
  if ('BS' in value) return { N: String(value.BS.length) }
  return undefined
}

function compare(
  operator: Comparator,
  left: AttributeValue | undefined,
  right: AttributeValue | undefined,
): boolean {
  if (left === undefined || right === undefined) return operator === '<>'
  if (operator === '=') return equal(left, right)
  if (operator === '<>') return !equal(left, right)
  const order = compareScalars(left, right)
  if (order === undefined) return false
  switch (operator) {
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
    default:
      return unreachable(operator)
  }
}

/** Caches which collections are equal. An expression can compare the same two a hundred times, which would take
 *  seconds for the largest. */
const comparedCollections = new WeakMap<AttributeValue, WeakMap<AttributeValue, boolean>>()

function equal(left: AttributeValue, right: AttributeValue): boolean {
  if (!isCollection(left) || !isCollection(right)) return equalValues(left, right)
  let compared = comparedCollections.get(left)
  if (compared === undefined) {
    compared = new WeakMap()
    comparedCollections.set(left, compared)
  }
  let isEqual = compared.get(right)
  if (isEqual === undefined) {
    isEqual = equalValues(left, right)
    compared.set(right, isEqual)
  }
  return isEqual
}

function isCollection(value: AttributeValue): boolean {
  return 'M' in value || 'L' in value || 'SS' in value || 'NS' in value || 'BS' in value
}

function beginsWith(value: AttributeValue | undefined, prefix: AttributeValue | undefined): boolean {
  if (value === undefined || prefix === undefined) return false
  if ('S' in value && 'S' in prefix) return value.S.startsWith(prefix.S)
  if ('B' in value && 'B' in prefix) return bytesAt(decodeBase64(value.B), decodeBase64(prefix.B), 0)
  return false
}

/** A substring of a string or binary, a member of a set, or an element of a list. */
function contains(value: AttributeValue | undefined, sought: AttributeValue | undefined): boolean {
  if (value === undefined || sought === undefined) return false
  if ('L' in value) return containsElement(value.L, sought)
  if ('S' in sought) {
    if ('S' in value) return includesText(value.S, sought.S)
    return 'SS' in value && value.SS.includes(sought.S)
  }
  if ('N' in sought) return 'NS' in value && value.NS.includes(sought.N)
  if (!('B' in sought)) return false
  if ('BS' in value) return value.BS.includes(sought.B)
  return 'B' in value && includesText(base64Characters(value.B), base64Characters(sought.B))
}

/** Lists can be long, and an expression can search one a hundred times: texts and numbers are compared in place. */
function containsElement(elements: readonly AttributeValue[], sought: AttributeValue): boolean {
  if ('S' in sought) {
    const text = sought.S
    for (const element of elements) if ('S' in element && element.S === text) return true
    return false
  }
  if ('N' in sought) {
    const number = sought.N
    for (const element of elements) if ('N' in element && element.N === number) return true
    return false
  }
  return elements.some((element) => equalValues(element, sought))
}

function bytesAt(bytes: Uint8Array, sought: Uint8Array, at: number): boolean {
  if (at + sought.length > bytes.length) return false
  for (let position = 0; position < sought.length; position++) {
    if (bytes[at + position] !== sought[position]) return false
  }
  return true
}
