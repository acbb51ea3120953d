import { entity, model, now, s, ulid } from '../../../index.ts'

/** A geo index: places by the beginning of their geohash, which is computed from where they are. */
export const geo = () => {
  const Place = entity('Place', {
    placeId: s.ulid().default(ulid),
    latitude: s.number().range(-90, 90),
    longitude: s.number().range(-180, 180),
    kind: s.enum('cafe', 'park', 'shop'),
    title: s.string().size(20),
  })
    .computed('cell', s.string(), ['latitude', 'longitude'], ({ latitude, longitude }) =>
      cellOf(latitude, longitude, 5),
    )
    .computed('fine', s.string(), ['latitude', 'longitude'], ({ latitude, longitude }) =>
      cellOf(latitude, longitude, 9),
    )
    .key({ pk: 'PLACE#{placeId}', sk: 'PLACE' })
    .index('near', { pk: 'CELL#{cell}', sk: '{fine}#{placeId}' })
    .index('kinds', { pk: 'CELL#{cell}#{kind}', sk: '{placeId}' })
    .volume({ items: 5_000_000 })
  const Visit = entity('Visit', { placeId: s.ulid(), at: s.iso().default(now), userId: s.ulid() })
    .key({ pk: 'VISITS#{placeId}', sk: '{at}#{userId}' })
    .volume({ items: 100_000_000, perPartition: 20, maxPerPartition: 100_000 })
  return model({
    name: 'geo',
    owner: 'team',
    entities: { Place, Visit },
    patterns: (p) => ({
      place: p.get('Place', { traffic: { rate: 100 } }),
      add: p.create('Place', { traffic: { rate: 1 } }),
      near: p.query({ on: 'near', pk: 'CELL#{cell}', limit: 50, traffic: { rate: 200 } }),
      kindsNear: p.query({ on: 'kinds', pk: 'CELL#{cell}#{kind}', limit: 20, traffic: { rate: 100 } }),
      retitle: p.update('Place', { changes: ['title'], traffic: { rate: 0.1 } }),
      move: p.update('Place', { changes: ['latitude', 'longitude', 'kind'], traffic: { rate: 0.01 } }),
      visit: p.create('Visit', { traffic: { rate: 50 } }),
      visits: p.query({ pk: 'VISITS#{placeId}', order: 'desc', limit: 50, traffic: { rate: 20 } }),
      remove: p.delete('Place', { traffic: { rate: 0.01 } }),
    }),
  })
}

const alphabet = '0123456789bcdefghjkmnpqrstuvwxyz'

/** Halves the world by turns, five bits a letter. */
function cellOf(latitude: number, longitude: number, length: number): string {
  const bounds: [number, number][] = [
    [-180, 180],
    [-90, 90],
  ]
  let text = ''
  for (let bit = 0, value = 0; text.length < length; bit++) {
    const side = bounds[bit % 2] ?? [0, 0]
    const middle = (side[0] + side[1]) / 2
    const isUpper = (bit % 2 === 0 ? longitude : latitude) >= middle
    side[isUpper ? 0 : 1] = middle
    value = value * 2 + (isUpper ? 1 : 0)
    if (bit % 5 === 4) {
      text += alphabet.charAt(value)
      value = 0
    }
  }
  return text
}
