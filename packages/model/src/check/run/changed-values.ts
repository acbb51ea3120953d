import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { EntityDescription } from '../../description.ts'
import { sourcesOf } from '../../model/parameters.ts'
import { fitToPadding } from '../data/fit-to-padding.ts'
import { generateValue } from '../data/generate-value.ts'
import { withShards, type Values } from '../data/store-item.ts'
import { attributeOf, holesOf } from '../model-index.ts'

/** New values for the changed attributes. If a pattern does not say which, for the first that is not part of a key, a
 *  guard or an index item: several updates in a transaction would claim the same value. */
export function changedValues(
  entity: EntityDescription,
  values: Values,
  changes: readonly string[] | undefined,
  n: number,
): Values {
  const primary = new Set(
    holesOf(entity.key.sort === undefined ? [entity.key.partition] : [entity.key.partition, entity.key.sort]),
  )
  const inKeys = new Set([
    ...primary,
    ...entity.indexKeys.flatMap(({ partition, sort, when = [] }) => [
      ...holesOf([...partition, ...sort]),
      ...when.map(({ attribute }) => attribute),
    ]),
    ...entity.satellites.flatMap(({ attributes, include }) => [...attributes, ...include]),
  ])
  for (const name of inKeys) for (const source of sourcesOf(name, entity)) inKeys.add(source)
  const isFree = (name: string, type: string): boolean =>
    !inKeys.has(name) && type !== 'version' && type !== 'shard'
  const usual = entity.attributes.find(({ name, type, isStored }) => isStored && isFree(name, type))
  const names = (changes ?? (usual === undefined ? [] : [usual.name])).filter((name) => !primary.has(name))
  const changed = new Map<string, AttributeValue>(values)
  for (const name of names) {
    const attribute = attributeOf(entity, name)
    if (attribute !== undefined && attribute.isStored)
      changed.set(name, differentValue(fitToPadding(entity, attribute), values.get(name), n))
  }
  for (const { name, type } of entity.attributes) if (type === 'version') changed.set(name, { N: String(n + 2) })
  return withShards(entity, changed)
}

function differentValue(
  attribute: Parameters<typeof generateValue>[0],
  before: AttributeValue | undefined,
  n: number,
): AttributeValue {
  for (let i = 0; i < 3; i++) {
    const value = generateValue(attribute, 500_000 + n + i)
    if (JSON.stringify(value) !== JSON.stringify(before)) return value
  }
  return generateValue(attribute, n)
}
