import type { AttributeDescription, EntityDescription } from '../../description.ts'
import { paddedDigits } from '../../keys/key-text.ts'

/** A number stays within the padding of its keys even if the model lets it grow further; the review reports that. */
export function fitToPadding(entity: EntityDescription, attribute: AttributeDescription): AttributeDescription {
  if (attribute.type !== 'int' && attribute.type !== 'number') return attribute
  let max = Infinity
  let isSigned = true
  for (const { parts } of templatesOf(entity)) {
    for (const part of parts) {
      if (part.kind !== 'hole' || part.attribute !== attribute.name || part.format.kind !== 'padded') continue
      max = Math.min(max, 10 ** (paddedDigits(part.format) - part.format.decimals) - 1)
      isSigned &&= part.format.isSigned === true
    }
  }
  if (max === Infinity) return attribute
  const least = isSigned ? -max : 0
  const range = {
    min: Math.max(least, attribute.range?.min ?? 0),
    max: Math.min(max, attribute.range?.max ?? max),
  }
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
