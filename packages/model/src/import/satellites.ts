import type { EntityDescription, SatelliteDescription } from '../description.ts'
import { holesOf } from '../model/resolve-template.ts'

/** Kinds that are called after another, as `Customer.email` is, are its guards and index items: they are not entities. */
export function withSatellites(entities: readonly EntityDescription[]): readonly EntityDescription[] {
  const isSatellite = ({ name }: EntityDescription): boolean =>
    entities.some((owner) => name.startsWith(`${owner.name}.`))
  return entities
    .filter((entity) => !isSatellite(entity))
    .map((owner) => {
      const own = entities
        .filter(({ name }) => name.startsWith(`${owner.name}.`))
        .flatMap((each) => satelliteOf(owner, each))
      return own.length === 0 ? owner : { ...owner, satellites: own }
    })
}

function satelliteOf(owner: EntityDescription, kind: EntityDescription): readonly SatelliteDescription[] {
  const { partition, sort } = kind.key
  const holes = [...new Set(holesOf(sort === undefined ? [partition] : [partition, sort]))]
  const known = new Map(owner.attributes.map((attribute) => [attribute.name, attribute]))
  if (!holes.every((hole) => known.has(hole)) || partition.isNative || sort?.isNative === true) return []
  const each = holes.find((hole) => ['set', 'list'].includes(known.get(hole)?.type ?? ''))
  const primary = [owner.key.partition, ...(owner.key.sort === undefined ? [] : [owner.key.sort])]
  const implied = new Set([...holes, ...holesOf(primary)])
  const copied = kind.attributes.flatMap(({ name }) => (known.has(name) && !implied.has(name) ? [name] : []))
  const isGuard = partition.text.startsWith('UNIQUE#')
  return [
    {
      kind: isGuard ? 'unique' : 'index-item',
      name: kind.name,
      attributes: holes,
      key: kind.key,
      ...(each !== undefined && { each }),
      include: isGuard ? [] : copied,
    },
  ]
}
