import type { EntityDescription } from '../../description.ts'

/** The attributes of an entity's primary key. */
export function primaryHoles({ key }: EntityDescription): readonly string[] {
  const parts = [...key.partition.parts, ...(key.sort?.parts ?? [])]
  return [...new Set(parts.flatMap((part) => (part.kind === 'hole' ? [part.attribute] : [])))]
}

/** Those with fewer parts in their key come first, because the others are found under them. */
export function byDependence(entities: readonly EntityDescription[]): readonly EntityDescription[] {
  return entities.toSorted((a, b) => primaryHoles(a).length - primaryHoles(b).length)
}
