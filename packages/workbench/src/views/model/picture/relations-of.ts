import type { EntityDescription, KeyTemplateDescription, ModelDescription } from '@hashrange/model'

/** One entity refers to another: its items have all attributes that make up the other's key. */
export interface Relation {
  readonly from: string
  readonly to: string
  /** The attributes that they share. */
  readonly by: readonly string[]
}

/** How entities belong together, as their keys say. An order line that has an order's key belongs to the order, and only by way
 *  of it to the customer. */
export function relationsOf({ entities }: ModelDescription): readonly Relation[] {
  const keys = new Map(entities.map((entity) => [entity.name, identityOf(entity)]))
  const all = entities.flatMap((entity) => {
    const own = new Set(entity.attributes.map(({ name }) => name))
    const ownKey = keys.get(entity.name) ?? []
    return entities.flatMap((other) => {
      const by = keys.get(other.name) ?? []
      const isSame = by.length === ownKey.length && by.every((name) => ownKey.includes(name))
      if (other === entity || by.length === 0 || isSame || !by.every((name) => own.has(name))) return []
      return [{ from: entity.name, to: other.name, by }]
    })
  })
  return all.filter(
    ({ from, by }) =>
      !all.some(
        (other) =>
          other.from === from && other.by.length > by.length && by.every((name) => other.by.includes(name)),
      ),
  )
}

/** The attributes of the primary key. */
export function identityOf({ key }: EntityDescription): readonly string[] {
  const templates: readonly KeyTemplateDescription[] =
    key.sort === undefined ? [key.partition] : [key.partition, key.sort]
  return [
    ...new Set(templates.flatMap(({ text }) => [...text.matchAll(/\{([^{}:]+)/g)].map(([, name = '']) => name))),
  ]
}
