import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type { EntityDescription, KeyTemplateDescription, WhenDescription } from '../description.ts'
import { isMet, sourcesOf } from '../model/parameters.ts'
import { holesOf } from '../model/resolve-template.ts'

/** A key attribute that is composed of others, and must be kept in step with them. */
export interface ComposedKey {
  readonly template: KeyTemplateDescription
  readonly when: readonly WhenDescription[]
  /** All attributes on which it depends. */
  readonly sources: readonly string[]
}

/** Each composed key attribute once, though several indexes may share it. */
export function composedKeysOf(entity: EntityDescription): readonly ComposedKey[] {
  const primary = new Set([entity.key.partition.attribute, entity.key.sort?.attribute])
  const composed = new Map<string, ComposedKey>()
  for (const { partition, sort, when = [] } of entity.indexKeys) {
    for (const template of [...partition, ...sort]) {
      if (template.isNative || primary.has(template.attribute)) continue
      const sources = [...holesOf([template]), ...when.map(({ attribute }) => attribute)]
      composed.set(template.attribute, {
        template,
        when,
        sources: [...new Set(sources.flatMap((source) => sourcesOf(source, entity)))],
      })
    }
  }
  return [...composed.values()]
}

/** Whether the attributes that are known settle it that an item is not in the index, whatever the others are. */
export function isOutside(
  { template, when }: ComposedKey,
  values: Readonly<Record<string, AttributeValue>>,
  isKnown: (name: string) => boolean,
): boolean {
  return (
    when.some((each) => isKnown(each.attribute) && !isMet(each, values[each.attribute])) ||
    holesOf([template]).some((name) => isKnown(name) && values[name] === undefined)
  )
}
