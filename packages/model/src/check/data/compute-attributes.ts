import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { EntityDescription } from '../../description.ts'
import type { EntityDefinition } from '../../model/entity.ts'
import { codecOf } from '../../schema/codec.ts'

/** Fills in what a model computes from other attributes. */
export type ComputeAttributes = (entity: EntityDescription, values: Map<string, AttributeValue>) => void

/** A description alone has no functions: there, computed attributes are generated like all others. */
export const computeNothing: ComputeAttributes = () => undefined

export function computeWith(definitions: readonly EntityDefinition[]): ComputeAttributes {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]))
  return (entity, values) => {
    for (const [name, attribute] of byName.get(entity.name)?.attributes ?? []) {
      if (attribute.computed === undefined) continue
      const computed = attribute.computed.compute(
        sourcesFor(byName.get(entity.name), attribute.computed.from, values) as never,
      )
      const stored = computed === undefined ? undefined : codecOf(attribute).encode(computed, name)
      if (stored === undefined) values.delete(name)
      else values.set(name, stored)
    }
  }
}

function sourcesFor(
  definition: EntityDefinition | undefined,
  names: readonly string[],
  values: ReadonlyMap<string, AttributeValue>,
): Record<string, unknown> {
  const sources: Record<string, unknown> = {}
  for (const name of names) {
    const attribute = definition?.attributes.get(name)
    const value = values.get(name)
    if (attribute !== undefined && value !== undefined) sources[name] = codecOf(attribute).decode(value, name)
  }
  return sources
}
