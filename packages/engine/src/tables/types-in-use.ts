import { namesOf } from '../definitions/key-names.ts'
import type { TableDefinition, VectorIndexDefinition } from '../definitions/table-definition.ts'
import type { AttributeTypes } from './read-key-schema.ts'

/** Attributes are defined as long as a key or a search schema uses them. */
export function withTypesInUse(definition: TableDefinition, newTypes: AttributeTypes): TableDefinition {
  const { attributeTypes, localIndexes, globalIndexes, vectorIndexes } = definition
  const schemas = [definition, ...localIndexes, ...globalIndexes].map(({ keySchema }) => keySchema)
  const used = new Set([...schemas.flatMap(namesOf), ...searchAttributes(vectorIndexes)])
  const known = new Map([...newTypes, ...Object.entries(attributeTypes)])
  const types = new Map(Object.entries(attributeTypes).filter(([name]) => used.has(name)))
  for (const name of used) {
    const type = known.get(name)
    if (type !== undefined) types.set(name, type)
  }
  return { ...definition, attributeTypes: Object.fromEntries(types) }
}

/** The attributes by which searches can be narrowed. */
export function searchAttributes(indexes: readonly VectorIndexDefinition[] = []): readonly string[] {
  return indexes.flatMap(({ searchSchema = [] }) => searchSchema.map(({ attributeName }) => attributeName))
}
