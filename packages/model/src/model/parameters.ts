import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type {
  AttributeDescription,
  EntityDescription,
  ParameterDescription,
  ValueDescription,
  WhenDescription,
} from '../description.ts'
import { holesOf } from './resolve-template.ts'

/** The attributes a caller gives to identify an item: those of its key's holes, or what these are made of. */
export function primaryInputsOf(entity: EntityDescription): readonly string[] {
  const { partition, sort } = entity.key
  const holes = holesOf(sort === undefined ? [partition] : [partition, sort])
  return [...new Set(holes.flatMap((hole) => sourcesOf(hole, entity)))]
}

/** The attributes from which `attribute` follows. */
export function sourcesOf(attribute: string, entity: EntityDescription): readonly string[] {
  const described = entity.attributes.find(({ name }) => name === attribute)
  if (described?.computedFrom !== undefined) return described.computedFrom
  if (described?.shard?.by !== undefined) return [described.shard.by]
  return [attribute]
}

/** Whether the value of an attribute is one of those with which an item is in a sparse index. */
export function isMet({ values }: WhenDescription, stored: AttributeValue | undefined): boolean {
  const value = stored?.S ?? (stored?.N === undefined ? stored?.BOOL : Number(stored.N))
  return value !== undefined && values.includes(value)
}

/** What an attribute is called in the table. */
export function storedNameOf({ attributes }: EntityDescription, name: string): string {
  return attributes.find((each) => each.name === name)?.storedName ?? name
}

export function parameterOf(
  name: string,
  entities: readonly EntityDescription[],
  kind: 'value' | 'range' = 'value',
): ParameterDescription {
  const attribute = attributeIn(name, entities)
  return {
    name,
    isRequired: kind === 'value',
    kind,
    ...(attribute !== undefined && { value: valueOf(attribute) }),
  }
}

export function attributeIn(
  name: string,
  entities: readonly EntityDescription[],
): AttributeDescription | undefined {
  for (const { attributes } of entities) {
    const found = attributes.find((attribute) => attribute.name === name)
    if (found !== undefined) return found
  }
  return undefined
}

/** What an attribute's values look like, without its role in the item. */
function valueOf(attribute: AttributeDescription): ValueDescription {
  const {
    name: _name,
    storedName: _storedName,
    isOptional: _isOptional,
    isReadOnly: _isReadOnly,
    isStored: _isStored,
    hasDefault: _hasDefault,
    defaultValue: _defaultValue,
    isSetOnWrite: _isSetOnWrite,
    computedFrom: _computedFrom,
    description: _description,
    ...value
  } = attribute
  return value
}
