import {
  assertAttributeValueTypes,
  assertItemTypes,
  booleanOfText,
  serializationException,
  unreachable,
  wellFormed,
} from '@hashrange/core'
import { isRecord } from './is-record.ts'
import type { ListShape, MapShape, ScalarShape, Shape, StructureShape } from './shapes.ts'

/** Turns a value of parsed JSON into one of the shape, or throws the service's SerializationException. Members that the
 *  shape does not name are dropped, and so are nulls. */
export type TypeReader = (value: unknown) => unknown

/** Whether a value is a member of a structure or an element of a list or map: the service words them differently. */
type Position = 'member' | 'element'

function compileTypeReader(shape: Shape, place: Position): TypeReader {
  switch (shape.kind) {
    case 'structure':
      return structureReader(shape, place)
    case 'list':
      return listReader(shape, place)
    case 'map':
      return shape.value.kind === 'attribute-value' ? attributeMapReader(shape, place) : mapReader(shape, place)
    case 'attribute-value':
      return (value) => {
        assertAttributeValueTypes(value, place === 'member' ? 'field' : 'value')
        return value
      }
    case 'string':
      return readString
    case 'integer':
    case 'long':
    case 'double':
    case 'timestamp':
      return numberReader(shape)
    case 'boolean':
      return readBoolean
    default:
      return unreachable(shape)
  }
}

/** The reader of a whole input, which is a structure. */
export function compileInputTypeReader(shape: StructureShape): (value: unknown) => Record<string, unknown> {
  return structureReader(shape, 'element')
}

function structureReader(shape: StructureShape, place: Position): (value: unknown) => Record<string, unknown> {
  const readers = new Map(shape.members.map((member) => [member.name, compileTypeReader(member.shape, 'member')]))
  return (value) => {
    if (!isRecord(value)) {
      throw serializationException(
        place === 'member' ? 'Unexpected field type' : 'Unexpected value type in payload',
      )
    }
    if (Array.isArray(value)) throw unrecognizedCollection(shape)
    const result: Record<string, unknown> = {}
    for (const name in value) {
      const read = readers.get(name)
      const member = value[name]
      if (read !== undefined && member !== null && member !== undefined) result[name] = read(member)
    }
    return result
  }
}

function listReader(shape: ListShape, place: Position): TypeReader {
  const read = compileTypeReader(shape.element, 'element')
  const most = mostRead(shape)
  return (value) => {
    if (!isRecord(value)) throw unexpectedScalar(place)
    if (!Array.isArray(value)) throw structureNotExpected()
    const members: readonly unknown[] = value.length > most ? value.slice(0, most) : value
    // A null is kept: the constraints reject it.
    return members.map((element: unknown) => (element === null || element === undefined ? null : read(element)))
  }
}

function mapReader(shape: MapShape, place: Position): TypeReader {
  const read = compileTypeReader(shape.value, 'element')
  const most = mostRead(shape)
  return (value) => {
    assertMap(value, shape, place)
    const result: Record<string, unknown> = {}
    let count = 0
    for (const name in value) {
      if (++count > most) break
      const member = value[name]
      setMember(result, wellFormed(name), member === null || member === undefined ? null : read(member))
    }
    return result
  }
}

/** A list with too many elements is rejected for that. Only as much of it is read as the message shows. */
function mostRead({ maximum }: ListShape | MapShape): number {
  return maximum === undefined ? Number.POSITIVE_INFINITY : maximum + 1_000
}

/** Items, keys and expression values are the bulk of a request: they are checked, not copied. */
function attributeMapReader(shape: MapShape, place: Position): TypeReader {
  return (value) => {
    assertMap(value, shape, place)
    assertItemTypes(value)
    return value
  }
}

function readString(value: unknown): unknown {
  if (typeof value === 'string') return wellFormed(value)
  throw notConvertible(value, 'String')
}

/** Integers are clamped to the range of their type, so that later code can calculate with them. JSON has neither
 *  infinity nor NaN, but `1e999` is parsed as infinity, and other protocols have both. */
function numberReader(shape: ScalarShape): TypeReader {
  const typeName = javaClassOf(shape)
  const most = shape.kind === 'integer' ? 2 ** 31 - 1 : 2 ** 63
  return (value) => {
    if (typeof value !== 'number') throw notConvertible(value, typeName)
    if (shape.kind === 'integer' || shape.kind === 'long') {
      if (Number.isNaN(value)) throw notConvertible(value, typeName)
      return Math.min(Math.max(Math.trunc(value), -most), most)
    }
    if (!Number.isFinite(value)) throw notConvertible(value, typeName)
    return value
  }
}

function readBoolean(value: unknown): unknown {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string') throw notConvertible(value, 'Boolean')
  const truth = booleanOfText(value)
  if (truth === undefined) throw serializationException('Unexpected token received from parser')
  return truth
}

function notConvertible(value: unknown, typeName: string): Error {
  if (Array.isArray(value))
    return serializationException(`Unrecognized collection type class java.lang.${typeName}`)
  if (typeof value === 'object') return structureNotExpected()
  return serializationException(`${tokenOf(value)} cannot be converted to ${typeName}`)
}

function tokenOf(value: unknown): string {
  if (typeof value === 'string') return 'STRING_VALUE'
  if (typeof value === 'number') return Number.isInteger(value) ? 'NUMBER_VALUE' : 'DECIMAL_VALUE'
  return value === true ? 'TRUE_VALUE' : 'FALSE_VALUE'
}

function assertMap(
  value: unknown,
  shape: MapShape,
  place: Position,
): asserts value is Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw unexpectedScalar(place)
  if (Array.isArray(value)) throw unrecognizedCollection(shape)
}

function unexpectedScalar(place: Position): Error {
  return serializationException(
    place === 'member'
      ? 'Unexpected field type'
      : "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of loader 'bootstrap')",
  )
}

function structureNotExpected(): Error {
  return serializationException('Start of structure or map found where not expected')
}

function unrecognizedCollection(shape: StructureShape | MapShape): Error {
  const generic = shape.kind === 'map'
  return serializationException(`Unrecognized collection type ${generic ? '' : 'class '}${javaTypeOf(shape)}`)
}

/** The service is written in Java, and its messages show it. */
function javaTypeOf(shape: Shape): string {
  switch (shape.kind) {
    case 'structure':
      return `com.amazonaws.dynamodb.v20120810.${shape.name}`
    case 'attribute-value':
      return 'com.amazonaws.dynamodb.v20120810.AttributeValue'
    case 'list':
      return `java.util.List<${javaTypeOf(shape.element)}>`
    case 'map':
      return `java.util.Map<java.lang.String, ${javaTypeOf(shape.value)}>`
    case 'string':
    case 'integer':
    case 'long':
    case 'double':
    case 'boolean':
    case 'timestamp':
      return `java.lang.${javaClassOf(shape)}`
    default:
      return unreachable(shape)
  }
}

function javaClassOf(shape: ScalarShape): string {
  if (shape.kind === 'timestamp') return 'Date'
  return shape.kind.charAt(0).toUpperCase() + shape.kind.slice(1)
}

/** Keys are the client's choice, `__proto__` among them. */
function setMember(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
  } else {
    target[name] = value
  }
}
