import type { AttributeDescription, EntityDescription } from '../description.ts'
import { shapeOf } from '../model/resolve-template.ts'

/** Kinds whose keys look alike share them, if an attribute says which one an item is. Otherwise they become one. */
export function mergeCollisions(
  entities: readonly EntityDescription[],
  discriminator: string | undefined,
): {
  readonly entities: readonly EntityDescription[]
  readonly notes: readonly string[]
} {
  const byShape = new Map<string, EntityDescription[]>()
  for (const entity of entities) {
    const { partition, sort } = entity.key
    const shape = JSON.stringify([shapeOf([partition]), sort === undefined ? '' : shapeOf([sort])])
    const same = byShape.get(shape)
    if (same === undefined) byShape.set(shape, [entity])
    else same.push(entity)
  }
  const notes: string[] = []
  const merged = [...byShape.values()].flatMap((same) => {
    const [first, ...others] = same
    if (first === undefined || others.length === 0) return same
    const names = same.map(({ name }) => name).join(', ')
    if (discriminator !== undefined && new Set(same.map(keyId)).size === 1) {
      notes.push(`${names} share the same keys. The attribute ${discriminator} tells them apart.`)
      return same.map((entity) => ({ ...entity, sharesKeys: true }))
    }
    notes.push(
      `${names} have keys of the same form, so they cannot be told apart. They became one entity, ${first.name}.`,
    )
    return [others.reduce(merge, first)]
  })
  return { entities: merged, notes }
}

/** The templates, and the types of the attributes in them. */
function keyId({ key, attributes }: EntityDescription): string {
  const templates = [key.partition, ...(key.sort === undefined ? [] : [key.sort])]
  const holes = new Set(templates.flatMap(({ parts }) => parts.flatMap(holeOf)))
  const types = attributes.filter(({ name }) => holes.has(name)).map(({ name, type }) => `${name}: ${type}`)
  return JSON.stringify([templates.map(({ text }) => text), types.toSorted()])
}

function merge(a: EntityDescription, b: EntityDescription): EntityDescription {
  const taken = new Set(a.indexKeys.map(({ index }) => index))
  // One attribute cannot hold two keys, so b's holes are given a's names where the keys are the same.
  return {
    ...a,
    attributes: mergeAttributes(a, b),
    indexKeys: [...a.indexKeys, ...b.indexKeys.filter(({ index }) => !taken.has(index))],
    satellites: [...a.satellites, ...b.satellites],
  }
}

function mergeAttributes(a: EntityDescription, b: EntityDescription): readonly AttributeDescription[] {
  const primary = new Set(
    [a.key.partition, a.key.sort].flatMap((template) => (template?.parts ?? []).flatMap(holeOf)),
  )
  const all = new Map(a.attributes.map((attribute) => [attribute.name, attribute]))
  for (const attribute of b.attributes) {
    const known = all.get(attribute.name)
    if (known === undefined) all.set(attribute.name, { ...attribute, isOptional: true })
    else if (known.storedAs !== attribute.storedAs) {
      all.set(attribute.name, { ...known, type: 'any', storedAs: 'ANY' })
    } else if (known.type !== attribute.type && known.storedAs === 'S') {
      all.set(attribute.name, { ...known, type: 'string' })
    }
  }
  const inB = new Set(b.attributes.map(({ name }) => name))
  return [...all.values()].map((attribute) => {
    if (primary.has(attribute.name)) return { ...attribute, isOptional: false }
    return inB.has(attribute.name) ? attribute : { ...attribute, isOptional: true }
  })
}

function holeOf(part: EntityDescription['key']['partition']['parts'][number]): readonly string[] {
  return part.kind === 'hole' ? [part.attribute] : []
}
