import { serializationException, type ServiceError } from '../errors.ts'
import { limits } from '../limits.ts'
import { base64Defect } from './base64.ts'

/** Where an attribute value stands: as the value of a map or list, or as a member of a structure. */
export type AttributeValuePlace = 'value' | 'field'

const javaPackage = 'com.amazonaws.dynamodb.v20120810'

/** Rejects JSON that does not have the shape of an attribute value, with the messages of the service's parser, which
 *  runs before any validation. Null means that the member is absent, and unknown members are ignored. Recursion is
 *  bounded: what nests beyond any valid value is left to `readAttributeValue`, which rejects it for its depth. */
export function assertAttributeValueTypes(raw: unknown, place: AttributeValuePlace = 'value'): void {
  assertAttributeValue(raw, place, 1)
}

/** The same for a map of attribute values, such as `Item`, `Key` or `ExpressionAttributeValues`. */
export function assertItemTypes(raw: unknown): void {
  assertMap(raw, 1)
}

function assertAttributeValue(raw: unknown, place: AttributeValuePlace, level: number): void {
  if (raw === null || raw === undefined) return
  if (!isObject(raw)) {
    throw serializationException(place === 'value' ? 'Unexpected value type in payload' : 'Unexpected field type')
  }
  if (Array.isArray(raw)) {
    throw serializationException(`Unrecognized collection type class ${javaPackage}.AttributeValue`)
  }
  for (const type in raw) assertMember(type, raw[type], level)
}

function assertMember(type: string, value: unknown, level: number): void {
  switch (type) {
    case 'S':
    case 'N':
      return assertString(value)
    case 'B':
      return assertBlob(value)
    case 'BOOL':
    case 'NULL':
      return assertBoolean(value)
    case 'SS':
    case 'NS':
      if (isList(value)) for (const member of value) assertString(member)
      return
    case 'BS':
      if (isList(value)) for (const member of value) assertBlob(member)
      return
    case 'L':
      if (level <= limits.nestingLevels && isList(value)) {
        for (const element of value) assertAttributeValue(element, 'value', level + 1)
      }
      return
    case 'M':
      if (level <= limits.nestingLevels) assertMap(value, level + 1)
      return
    default:
  }
}

function assertMap(value: unknown, level: number): void {
  if (value === null || value === undefined) return
  if (!isObject(value)) throw serializationException('Unexpected field type')
  if (Array.isArray(value)) {
    throw serializationException(
      `Unrecognized collection type java.util.Map<java.lang.String, ${javaPackage}.AttributeValue>`,
    )
  }
  for (const name in value) assertAttributeValue(value[name], 'value', level)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function isList(value: unknown): value is readonly unknown[] {
  if (Array.isArray(value)) return true
  if (value === null || value === undefined) return false
  throw typeof value === 'object' ? structureNotExpected() : serializationException('Unexpected field type')
}

function assertString(value: unknown): void {
  if (typeof value !== 'string' && value !== null && value !== undefined) throw notConvertible(value, 'String')
}

function assertBoolean(value: unknown): void {
  if (typeof value === 'boolean' || value === null || value === undefined) return
  if (typeof value !== 'string') throw notConvertible(value, 'Boolean')
  if (booleanOfText(value) === undefined) throw serializationException('Unexpected token received from parser')
}

/** The service's parser takes these strings for booleans. */
export function booleanOfText(text: string): boolean | undefined {
  switch (text.toLowerCase()) {
    case 'true':
    case 'yes':
    case '1':
      return true
    case 'false':
    case 'no':
    case '0':
      return false
    default:
      return undefined
  }
}

function assertBlob(value: unknown): void {
  if (typeof value === 'string') {
    const defect = base64Defect(value)
    if (defect !== undefined) throw serializationException(defect)
  } else if (Array.isArray(value)) {
    throw serializationException('Unrecognized collection type class java.nio.ByteBuffer')
  } else if (typeof value === 'object' && value !== null) {
    throw structureNotExpected()
  } else if (value !== null && value !== undefined) {
    throw serializationException('only base-64-encoded strings are convertible to bytes')
  }
}

function notConvertible(value: unknown, javaClass: 'String' | 'Boolean'): ServiceError {
  if (Array.isArray(value)) {
    return serializationException(`Unrecognized collection type class java.lang.${javaClass}`)
  }
  if (typeof value === 'object') return structureNotExpected()
  return serializationException(`${tokenOf(value)} cannot be converted to ${javaClass}`)
}

function tokenOf(value: unknown): string {
  if (value === true) return 'TRUE_VALUE'
  if (value === false) return 'FALSE_VALUE'
  return Number.isInteger(value) ? 'NUMBER_VALUE' : 'DECIMAL_VALUE'
}

function structureNotExpected(): ServiceError {
  return serializationException('Start of structure or map found where not expected')
}
