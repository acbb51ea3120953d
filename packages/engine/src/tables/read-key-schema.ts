import { type KeyAttributeType, validationException } from '@hashrange/core'
import type { AttributeDefinitionInput, KeySchemaElementInput } from '../api/table-inputs.ts'
import type { KeySchema } from '../definitions/table-definition.ts'
import { invalidParameter } from './invalid-parameter.ts'
import { capacityFor, javaHashOrder } from './java-hash-order.ts'

export type AttributeTypes = ReadonlyMap<string, KeyAttributeType>

export function readAttributeTypes(definitions: readonly AttributeDefinitionInput[]): AttributeTypes {
  const types = new Map<string, KeyAttributeType>()
  for (const { AttributeName, AttributeType } of definitions) {
    if (types.has(AttributeName)) throw validationException(`Attribute Name is duplicated: ${AttributeName}`)
    types.set(AttributeName, AttributeType)
  }
  return types
}

/** The key of a table or of a local index: one hash attribute and at most one range attribute. */
export function readPrimaryKeySchema(elements: readonly KeySchemaElementInput[], types: AttributeTypes): KeySchema {
  assertDefined(elements, types)
  const [hash, range] = elements
  if (hash !== undefined && hash.AttributeName === range?.AttributeName) {
    throw validationException('Both the Hash Key and the Range Key element in the KeySchema have the same name')
  }
  assertHashFirst(elements)
  if (range !== undefined && range.KeyType !== 'RANGE') {
    throw validationException('Invalid KeySchema: The second KeySchemaElement is not a RANGE key type')
  }
  return keySchemaOf(elements)
}

/** The key of a global index: up to four hash attributes, then up to four range attributes. */
export function readGlobalKeySchema(elements: readonly KeySchemaElementInput[], types: AttributeTypes): KeySchema {
  assertDefined(elements, types)
  assertNoNameTwice(elements)
  assertHashFirst(elements)
  const schema = keySchemaOf(elements)
  if (elements.findLastIndex(({ KeyType }) => KeyType === 'HASH') >= schema.hash.length) {
    throw invalidParameter('All HASH key attributes must precede RANGE key attributes in the KeySchema')
  }
  if (schema.hash.length > 4) throw tooMany('HASH')
  if (schema.range.length > 4) throw tooMany('RANGE')
  return schema
}

function keySchemaOf(elements: readonly KeySchemaElementInput[]): KeySchema {
  const names = (type: 'HASH' | 'RANGE'): string[] =>
    elements.flatMap(({ AttributeName, KeyType }) => (KeyType === type ? [AttributeName] : []))
  return { hash: names('HASH'), range: names('RANGE') }
}

function assertDefined(elements: readonly KeySchemaElementInput[], types: AttributeTypes): void {
  if (elements.length > types.size) {
    throw validationException('Invalid KeySchema: Some index key attribute have no definition')
  }
  if (elements.every(({ AttributeName }) => types.has(AttributeName))) return
  const keys = javaHashOrder(elements.map(({ AttributeName }) => AttributeName))
  const defined = javaHashOrder([...types.keys()], capacityFor(types.size))
  throw invalidParameter(
    `Some index key attributes are not defined in AttributeDefinitions. Keys: [${keys.join(', ')}], AttributeDefinitions: [${defined.join(', ')}]`,
  )
}

function assertNoNameTwice(elements: readonly KeySchemaElementInput[]): void {
  if (new Set(elements.map(({ AttributeName }) => AttributeName)).size === elements.length) return
  throw validationException(
    elements.length === 2 && elements[0]?.KeyType !== elements[1]?.KeyType
      ? 'Both the Hash Key and the Range Key element in the KeySchema have the same name'
      : 'The KeySchema contains multiple key attributes with the same name',
  )
}

function assertHashFirst(elements: readonly KeySchemaElementInput[]): void {
  if (elements[0]?.KeyType === 'HASH') return
  throw validationException('Invalid KeySchema: The first KeySchemaElement is not a HASH key type')
}

function tooMany(keyType: 'HASH' | 'RANGE'): Error {
  return invalidParameter(`The KeySchema exceeds the maximum allowed number of ${keyType} key attributes`)
}
