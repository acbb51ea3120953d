import type { AttributeDescription, EntityDescription } from '../../description.ts'

/** A number stays within the padding of its keys even if the model lets it grow further; the review reports that. */
export function fitToPadding(entity: EntityDescription, attribute: AttributeDescription): AttributeDescription {
  if (attribute.type !== 'int' && attribute.type !== 'number') return attribute
  let max = Infinity
  for (const { parts } of templatesOf(entity)) {
    for (const part of parts) {
      if (part.kind !== 'hole' || part.attribute !== attribute.name || part.format.kind !== 'padded') continue
      const { width, decimals } = part.format
      max = Math.min(max, 10 ** (decimals === 0 ? width : width - 1 - decimals) - 1)
    }
  }
  if (max === Infinity) return attribute
  const range = { min: Math.max(0, attribute.range?.min ?? 0), max: Math.min(max, attribute.range?.max ?? max) }
  return { ...attribute, range }
}

/** Every key template of an entity: of the table, of indexes, of guards and index items. */
export function templatesOf({ key, indexKeys, satellites }: EntityDescription) {
  const primary = [key, ...satellites.map((satellite) => satellite.key)]
  return [
    ...primary.flatMap(({ partition, sort }) => (sort === undefined ? [partition] : [partition, sort])),
    ...indexKeys.flatMap(({ partition, sort }) => [...partition, ...sort]),
  ]
}
