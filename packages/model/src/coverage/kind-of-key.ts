import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type {
  EntityDescription,
  KeyDescription,
  KeyTemplateDescription,
  ModelDescription,
  TableDescription,
} from '../description.ts'
import { matchKey } from '../keys/match-key.ts'

export interface KindOfKey {
  readonly entity: EntityDescription
  /** The name of a guard or index item, if it is one. */
  readonly satellite?: string
}

/** What a key of a table belongs to: the kind with the most text in its key that fits. */
export function kindOfKey(
  { entities }: ModelDescription,
  table: TableDescription,
  key: Readonly<Record<string, unknown>> | undefined,
): KindOfKey | undefined {
  let best: KindOfKey | undefined
  let most = -1
  const consider = (kind: KindOfKey, templates: KeyDescription): void => {
    const literals = literalsIn(templates)
    if (literals <= most || !fits(templates, kind.entity, key)) return
    best = kind
    most = literals
  }
  for (const entity of entities) {
    if (entity.table !== table.id) continue
    consider({ entity }, entity.key)
    for (const satellite of entity.satellites) consider({ entity, satellite: satellite.name }, satellite.key)
  }
  return best
}

/** The attributes whose values a key of an entity holds. */
export function valuesInKey(
  entity: EntityDescription,
  key: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, AttributeValue> {
  const values = new Map<string, AttributeValue>()
  for (const template of [entity.key.partition, entity.key.sort]) {
    const held = template && matched(template, entity, key)
    for (const [name, value] of held ?? []) values.set(name, value)
  }
  return values
}

function fits(
  { partition, sort }: KeyDescription,
  entity: EntityDescription,
  key: Readonly<Record<string, unknown>> | undefined,
): boolean {
  const matches = (template: KeyTemplateDescription): boolean => matched(template, entity, key) !== undefined
  return matches(partition) && (sort === undefined || matches(sort))
}

function matched(
  template: KeyTemplateDescription,
  { attributes }: EntityDescription,
  key: Readonly<Record<string, unknown>> | undefined,
): ReadonlyMap<string, AttributeValue> | undefined {
  const stored = key?.[template.attribute] as AttributeValue | undefined
  return matchKey(template, stored, (name) => attributes.find((each) => each.name === name))
}

function literalsIn({ partition, sort }: KeyDescription): number {
  const parts = [...partition.parts, ...(sort?.parts ?? [])]
  return parts.reduce((total, part) => total + (part.kind === 'literal' ? part.text.length : 0), 0)
}
