import { entity, model, s } from '@hashrange/model'

const Artist = entity('Artist', { artistId: s.ulid(), name: s.string().size(24), country: s.string().size(2) })
  .key({ pk: 'ARTIST#{artistId}', sk: 'ARTIST' })
  .volume({ items: 20_000 })

/** Found by the label's own number as well: an item of its own in the same table, kept by the same transaction. */
const Album = entity('Album', {
  artistId: s.ulid(),
  albumId: s.ulid(),
  title: s.string().size(30),
  releasedOn: s.iso('day'),
  catalogNumber: s.string().size(12),
})
  .key({ pk: 'ARTIST#{artistId}', sk: 'ALBUM#{releasedOn}#{albumId}' })
  .indexItem('byCatalogNumber', { pk: 'CATALOG#{catalogNumber}', sk: 'ALBUM' })
  .volume({ items: 100_000, perPartition: 5, maxPerPartition: 200 })

const Song = entity('Song', {
  albumId: s.ulid(),
  track: s.int().range(1, 999),
  songId: s.ulid(),
  title: s.string().size(30),
  seconds: s.int().range(1, 36_000),
  plays: s.int().range(0, 9_999_999_999),
  month: s.iso('month').describe('In which the plays were counted'),
  shard: s.shard(8, 'songId'),
})
  .key({ pk: 'ALBUM#{albumId}', sk: 'TRACK#{track:03}#{songId}' })
  .index('bySong', { pk: 'SONG#{songId}', sk: 'SONG' })
  // One month's chart would be one busy partition; eight share the work, and a read merges them in order.
  .index('charts', { pk: 'CHART#{month}#{shard}', sk: '{plays:010:desc}#{songId}' })
  .volume({ items: 1_000_000, perPartition: 10, maxPerPartition: 500 })

export const music = model({
  name: 'music',
  owner: 'catalogue team',
  table: { indexes: { charts: { projection: ['title'] } } },
  entities: { Artist, Album, Song },
  patterns: (p) => ({
    artistWithAlbums: p.query({ pk: 'ARTIST#{artistId}', traffic: { rate: 200 }, budget: { requests: 1 } }),
    albumByCatalogNumber: p.lookup('Album', 'byCatalogNumber', { traffic: { rate: 5 } }),
    songsOfAlbum: p.query({
      pk: 'ALBUM#{albumId}',
      sk: 'TRACK#*',
      traffic: { rate: 300 },
      budget: { requests: 1 },
    }),
    songById: p.query({ on: 'bySong', pk: 'SONG#{songId}', sk: 'SONG', traffic: { rate: 500 } }),
    charts: p.query({ on: 'charts', pk: 'CHART#{month}#{shard}', limit: 10, traffic: { rate: 50 } }),
    addArtist: p.create('Artist', { traffic: { rate: 0.1 } }),
    addAlbum: p.create('Album', { traffic: { rate: 0.5 } }),
    addSong: p.create('Song', { traffic: { rate: 5 } }),
  }),
})
