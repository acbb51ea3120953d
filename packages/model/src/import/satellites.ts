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

function satelliteOf(owner: EntityDescription, { name, key }: EntityDescription): readonly SatelliteDescription[] {
  const { partition, sort } = key
  const holes = [...new Set(holesOf(sort === undefined ? [partition] : [partition, sort]))]
  const known = new Set(owner.attributes.map((attribute) => attribute.name))
  if (!holes.every((hole) => known.has(hole)) || partition.isNative || sort?.isNative === true) return []
  const isGuard = partition.text.startsWith('UNIQUE#')
  return [{ kind: isGuard ? 'unique' : 'index-item', name, attributes: holes, key, include: [] }]
}
