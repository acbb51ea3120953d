import type { AttributeDescription, EntityDescription, ModelDescription, ValueDescription } from '../description.ts'
import type { EntityDefinition } from '../model/entity.ts'
import type { AttributeDefinition } from '../schema/attribute.ts'
import type { PlannedModel } from './client-functions.ts'
import { standIn } from './stand-in.ts'

/** A description as a model that requests can be made from. A description has no functions: what the model computes
 *  is made up, always the same for the same values, and validators are not called. */
export function describedModel(description: ModelDescription, compute: Compute = standIn): PlannedModel {
  return {
    resolved: description,
    definitions: description.entities.map((entity) => entityDefinition(entity, compute)),
  }
}

/** The value of a computed attribute. */
export type Compute = (
  attribute: AttributeDescription,
  sources: readonly AttributeDescription[],
  item: Readonly<Record<string, unknown>>,
  entity: EntityDescription,
) => unknown

/** The same model without its own functions for values: for generated data, which they need not accept. */
export function withoutValidators({ resolved, definitions }: PlannedModel): PlannedModel {
  return {
    resolved,
    definitions: definitions.map((definition) => ({
      ...definition,
      attributes: new Map([...definition.attributes].map(([name, attribute]) => [name, unvalidated(attribute)])),
    })),
  }
}

function unvalidated(definition: AttributeDefinition): AttributeDefinition {
  const { validator: _validator, codec: _codec, readAs: _readAs, element, fields, ...rest } = definition
  return {
    ...rest,
    ...(element !== undefined && { element: unvalidated(element) }),
    ...(fields !== undefined && {
      fields: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, unvalidated(field)])),
    }),
  }
}

function entityDefinition(entity: EntityDescription, compute: Compute): EntityDefinition {
  return {
    name: entity.name,
    table: entity.table,
    attributes: new Map(
      entity.attributes.map((attribute) => [attribute.name, attributeDefinition(entity, attribute, compute)]),
    ),
    // What follows is already resolved, and is in the description.
    key: undefined,
    indexes: [],
    satellites: [],
    volume: entity.volume,
    description: entity.description,
    owner: entity.owner,
    origin: new Error('described'),
  }
}

function attributeDefinition(
  entity: EntityDescription,
  attribute: AttributeDescription,
  compute: Compute,
): AttributeDefinition {
  const { isOptional, isReadOnly, hasDefault, defaultValue, computedFrom } = attribute
  const sources = (computedFrom ?? []).flatMap((name) => entity.attributes.filter((each) => each.name === name))
  return {
    ...valueDefinition(attribute),
    ...(attribute.storedName !== undefined && { storedName: attribute.storedName }),
    isReadOnly,
    // A default that is only known to exist could be anything.
    isOptional: isOptional || (hasDefault && defaultValue === undefined),
    ...(defaultValue !== undefined && { default: { value: defaultValue } }),
    ...(computedFrom !== undefined && {
      computed: { from: computedFrom, compute: (item: never) => compute(attribute, sources, item, entity) },
    }),
  }
}

function fieldDefinitions(fields: readonly AttributeDescription[]): Readonly<Record<string, AttributeDefinition>> {
  return Object.fromEntries(
    fields.map((field) => [field.name, { ...valueDefinition(field), isOptional: field.isOptional }]),
  )
}

function valueDefinition(value: ValueDescription): AttributeDefinition {
  const { type, storedAs, values, element, fields, variants, precision, readAs, shard, range } = value
  return {
    type,
    storedAs,
    ...(values !== undefined && { values }),
    ...(element !== undefined && { element: valueDefinition(element) }),
    ...(fields !== undefined && { fields: fieldDefinitions(fields) }),
    ...(variants !== undefined && {
      variants: {
        tag: variants.tag,
        of: Object.fromEntries(variants.of.map((each) => [each.name, fieldDefinitions(each.fields)])),
      },
    }),
    ...(precision !== undefined && { precision }),
    ...(readAs !== undefined && readAs !== 'codec' && { readAs }),
    ...(shard !== undefined && { shard }),
    ...(range !== undefined && { range: { min: range.min ?? -Infinity, max: range.max ?? Infinity } }),
  }
}
