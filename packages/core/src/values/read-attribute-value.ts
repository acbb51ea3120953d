import { BareRefusal, validationException, type ServiceError } from '../errors.ts'
import { limits } from '../limits.ts'
import { assertAttributeValueTypes, booleanOfText } from './assert-attribute-value-types.ts'
import { setAttribute, type AttributeValue, type Item } from './attribute-value.ts'
import { canonicalNumber } from './number.ts'
import { readSet } from './read-set.ts'
import { utf8Length, wellFormed } from './utf8.ts'

/** The members of an attribute value, in the order in which the service looks at them if several are given. */
const attributeTypes = ['S', 'B', 'N', 'BOOL', 'NULL', 'BS', 'NS', 'SS', 'L', 'M'] as const

type RawMembers = Readonly<Record<string, unknown>>

/** Validates a value that has the right JSON types (see `assertAttributeValueTypes`) and makes it canonical. A value
 *  that is already canonical is returned as it is, not copied. Recursion is bounded by the service's 32 levels;
 *  `level` is the level of the value itself. */
export function readAttributeValue(raw: unknown, level = 1): AttributeValue {
  return readValue(raw, level)
}

/** The same for an item: a map of values by attribute name. */
export function readItem(raw: unknown): Item {
  if (!isObject(raw)) throw new Error('an item must have been checked to be a JSON object')
  for (const name in raw) assertAttributeName(name)
  return readEntries(raw, 1)
}

function readValue(raw: unknown, level: number): AttributeValue {
  if (level > limits.nestingLevels) {
    throw validationException(
      'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
    )
  }
  if (!isObject(raw)) throw emptyValue()
  const type = onlyMember(raw)
  if (type === undefined) return readUnusualValue(raw, level)
  return readMember(raw, type, raw[type], level)
}

/** The name of the only member; undefined if there are none or several. */
function onlyMember(raw: RawMembers): string | undefined {
  let only: string | undefined
  for (const name in raw) {
    if (only !== undefined) return undefined
    only = name
  }
  return only
}

/** `raw` itself is returned if its one member is already canonical. */
function readMember(raw: RawMembers, type: string, value: unknown, level: number): AttributeValue {
  switch (type) {
    case 'S':
      if (typeof value === 'string') {
        const text = wellFormed(value)
        return text === value ? validated(raw) : { S: text }
      }
      break
    case 'B':
      if (typeof value === 'string') return validated(raw)
      break
    case 'N':
      if (typeof value === 'string') {
        const canonical = canonicalNumber(value)
        return canonical === value ? validated(raw) : { N: canonical }
      }
      break
    case 'BOOL':
      if (typeof value === 'boolean') return validated(raw)
      break
    case 'NULL':
      if (value === true) return validated(raw)
      break
    case 'M':
      if (isObject(value)) {
        const entries = readEntries(value, level + 1)
        return entries === value ? validated(raw) : { M: entries }
      }
      break
    case 'L':
      if (Array.isArray(value)) {
        const elements = readElements(value, level + 1)
        return elements === value ? validated(raw) : { L: elements }
      }
      break
    case 'SS':
      if (isStrings(value)) {
        const members = readSet('SS', value)
        return members === value ? validated(raw) : { SS: members }
      }
      break
    case 'NS':
      if (isStrings(value)) {
        const numbers = readSet('NS', value)
        return numbers === value ? validated(raw) : { NS: numbers }
      }
      break
    case 'BS':
      if (isStrings(value)) {
        const members = readSet('BS', value)
        return members === value ? validated(raw) : { BS: members }
      }
      break
    default:
  }
  return readUnusualValue(raw, level)
}

/** All cases except exactly one well-formed member: none, several, null for absent, text for a boolean. An error in a
 *  member is reported before the number of members. */
function readUnusualValue(raw: RawMembers, level: number): AttributeValue {
  assertAttributeValueTypes(raw)
  let result: AttributeValue | undefined
  let count = 0
  for (const type of attributeTypes) {
    const value = raw[type]
    if (value === null || value === undefined) continue
    count++
    result = readAlone(type, value, level)
  }
  if (result === undefined) throw emptyValue()
  if (count > 1) {
    throw new BareRefusal(
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    )
  }
  return result
}

function readAlone(type: (typeof attributeTypes)[number], value: unknown, level: number): AttributeValue {
  if (type === 'BOOL') return { BOOL: booleanOf(value) }
  if (type === 'NULL') {
    if (booleanOf(value)) return { NULL: true }
    throw invalidParameter('Null attribute value types must have the value of true')
  }
  // The type check lets null pass for a member of a set.
  if (Array.isArray(value) && type !== 'L' && !isStrings(value)) throw emptyValue()
  return readMember({ [type]: value }, type, value, level)
}

function booleanOf(value: unknown): boolean {
  return typeof value === 'string' ? booleanOfText(value) === true : value === true
}

function readEntries(raw: RawMembers, level: number): Item {
  let copy: Record<string, AttributeValue> | undefined
  for (const name in raw) {
    const before = raw[name]
    const value = readValue(before, level)
    const text = wellFormed(name)
    if (copy === undefined && (value !== before || text !== name)) copy = entriesBefore(raw, name)
    if (copy !== undefined) setAttribute(copy, text, value)
  }
  return copy ?? validated(raw)
}

function entriesBefore(raw: RawMembers, end: string): Record<string, AttributeValue> {
  const copy: Record<string, AttributeValue> = {}
  for (const name in raw) {
    if (name === end) break
    setAttribute(copy, name, validated(raw[name]))
  }
  return copy
}

function readElements(raw: readonly unknown[], level: number): readonly AttributeValue[] {
  let copy: AttributeValue[] | undefined
  for (let position = 0; position < raw.length; position++) {
    const before = raw[position]
    const value = readValue(before, level)
    if (copy === undefined && value !== before) copy = validated(raw.slice(0, position))
    if (copy !== undefined) copy.push(value)
  }
  return copy ?? validated<AttributeValue[]>(raw)
}

/** Rejects an invalid attribute name. */
export function assertAttributeName(name: string): void {
  if (name.length === 0) throw validationException('Empty attribute name')
  // A UTF-16 unit is at most three bytes of UTF-8.
  if (name.length * 3 > limits.attributeNameBytes && utf8Length(name) > limits.attributeNameBytes) {
    throw validationException('Attribute name is too large, must be less than 65536 bytes')
  }
}

function isObject(value: unknown): value is RawMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isStrings(value: unknown): value is readonly string[] {
  if (!Array.isArray(value)) return false
  for (const member of value) if (typeof member !== 'string') return false
  return true
}

/** Names the type of what this file has just validated where it stands. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
function validated<T extends AttributeValue | AttributeValue[] | Item>(raw: unknown): T {
  return raw as T
}

function emptyValue(): ServiceError {
  return new BareRefusal('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes')
}

function invalidParameter(detail: string): ServiceError {
  return validationException(`One or more parameter values were invalid: ${detail}`)
}
