import { entity, model, now, s, secondsFromNow, ulid, type StandardSchema } from '@hashrange/model'

/** Names are what people type, and here they are parts of keys. The separator of keys is the one thing that they may not
 *  contain. */
const withoutSeparator: StandardSchema<string> = {
  '~standard': {
    version: 1,
    vendor: 'music',
    validate: (value) =>
      typeof value === 'string' && !value.includes('#')
        ? { value }
        : { issues: [{ message: "must be a text without '#'" }] },
  },
}

const name = () => s.string().check(withoutSeparator).size(18)
const monthSeconds = 31 * 86_400

// ---- an artist and the albums, together under one key -----------------------------------------------------------------

export const Artist = entity('Artist', {
  artist: name(),
  country: name().distinct(200),
  /** Other spellings, each of which leads here. */
  aliases: s.set(name()).count(2, 10),
  biography: s.string().size(400, 4000).optional(),
})
  .key({ pk: 'artist#{artist}', sk: 'artist' })
  .index('gsi1', { pk: 'artist#{country}', sk: '{artist}' })
  .indexItem('alias', { pk: 'alias#{aliases}', sk: 'artist#{artist}', each: 'aliases' })
  .volume({ items: 200_000 })
  .owner('catalogue')

export const Album = entity('Album', {
  artist: name(),
  album: name(),
  genre: name().distinct(300),
  releasedOn: s.iso('day'),
  shard: s.shard(10, 'album'),
})
  .computed('initials', s.string().size(2).distinct(700), ['album'], ({ album }) => album.slice(0, 2).toLowerCase())
  .key({ pk: 'artist#{artist}', sk: 'album#{album}' })
  .index('gsi1', { pk: 'album#{genre}', sk: '{artist}#{album}' })
  .index('newest', { pk: 'albums#{shard}', sk: '{releasedOn}#{artist}#{album}' })
  .index('byTitle', { pk: 'titles#{initials}', sk: '{album}#{artist}' })
  .volume({ items: 1_000_000, perPartition: 5, maxPerPartition: 300 })
  .owner('catalogue')

// ---- songs: a partition for each album, so that a popular artist is spread over many ------------------------------------

export const Song = entity('Song', {
  artist: name(),
  album: name(),
  song: name(),
  seconds: s.int().range(1, 86_400),
  kind: s.enum('original', 'cover', 'live', 'remix').default('original'),
  coverOf: name().optional(),
  isrc: s.string().size(12).optional().describe('Of this recording'),
  iswc: s.string().size(11).optional().describe('Of the work, which many recordings share'),
  mbid: s.uuid().optional(),
  version: s.version(),
})
  .key({ pk: 'song#{artist}#{album}', sk: '{song}' })
  .index('covers', { pk: 'cover#{coverOf}', sk: '{artist}#{song}', when: { kind: 'cover' } })
  .indexItem('isrc', { pk: 'external#isrc#{isrc}', sk: 'song#{artist}#{album}#{song}' })
  .indexItem('iswc', { pk: 'external#iswc#{iswc}', sk: 'song#{artist}#{album}#{song}', include: ['seconds'] })
  .indexItem('mbid', { pk: 'external#mbid#{mbid}', sk: 'song#{artist}#{album}#{song}' })
  .volume({ items: 10_000_000, perPartition: 12, maxPerPartition: 100 })
  .owner('catalogue')

/** Not every song is on an album. Those of one artist are spread by the hash of their title, so that one can still be got
 *  by its name. */
export const Single = entity('Single', {
  artist: name(),
  song: name(),
  seconds: s.int().range(1, 86_400),
  shard: s.shard(10, 'song'),
})
  .key({ pk: 'single#{artist}#{shard}', sk: '{song}' })
  .volume({ items: 2_000_000, perPartition: 10, maxPerPartition: 500 })
  .owner('catalogue')

// ---- compilations: an album lies right before its tracks ------------------------------------------------------------------

export const Compilation = entity('Compilation', {
  label: name(),
  album: name(),
  releasedOn: s.iso('day'),
})
  .key({ pk: 'compilation#{label}', sk: '{album}#' })
  .volume({ items: 50_000, perPartition: 10, maxPerPartition: 500 })
  .owner('catalogue')

export const CompilationTrack = entity('CompilationTrack', {
  label: name(),
  album: name(),
  position: s.int().range(1, 999),
  artist: name(),
  song: name(),
})
  .key({ pk: 'compilation#{label}', sk: '{album}#{position:03}' })
  .volume({ items: 1_000_000, perPartition: 200, maxPerPartition: 10_000 })
  .owner('catalogue')

// ---- playlists: many songs in many lists ----------------------------------------------------------------------------------

export const Playlist = entity('Playlist', {
  playlistId: s.ulid().default(ulid),
  title: s.string().size(20),
  length: s.int().default(0),
})
  .key({ pk: 'playlist#{playlistId}', sk: 'playlist' })
  .volume({ items: 5_000_000 })
  .owner('listening')

export const PlaylistEntry = entity('PlaylistEntry', {
  playlistId: s.ulid(),
  position: s.int().range(1, 9999),
  artist: name(),
  album: name(),
  song: name(),
  /** A copy, so that a list can be shown without a request for each song. */
  seconds: s.int(),
})
  .key({ pk: 'playlist#{playlistId}', sk: 'entry#{position:04}' })
  .index('gsi1', { pk: 'in#{artist}#{album}#{song}', sk: '{playlistId}#{position:04}' })
  .volume({ items: 100_000_000, perPartition: 20, maxPerPartition: 9999 })
  .owner('listening')

// ---- plays: written all the time, in a partition for each month, spread at random --------------------------------------------

export const Play = entity('Play', {
  artist: name(),
  song: name(),
  playedAt: s.iso().default(now),
  playId: s.ulid().default(ulid),
  listenerId: s.ulid(),
  shard: s.shard(10),
  expiresAt: s.ttl().default(secondsFromNow(13 * monthSeconds)),
})
  .key({ pk: 'plays#{artist}#{playedAt:month}#{shard}', sk: '{playedAt}#{playId}' })
  .volume({ items: 2_000_000_000, perPartition: 500 })
  .owner('listening')

export const music = model({
  name: 'music',
  description: 'Artists, albums, songs and who listens to them',
  owner: 'music',
  table: {
    indexes: {
      gsi1: { projection: ['seconds'] },
      newest: { projection: ['genre'] },
      byTitle: { projection: 'KEYS_ONLY' },
      covers: { projection: 'KEYS_ONLY' },
    },
  },
  entities: { Artist, Album, Song, Single, Compilation, CompilationTrack, Playlist, PlaylistEntry, Play },
  patterns: (p) => ({
    // Artists and albums.
    artistPage: p.query({
      description: 'An artist and all albums, in one request',
      pk: 'artist#{artist}',
      between: ['album#', 'artist'],
      traffic: { rate: 300, peakRate: 1000, hotKeyShare: 0.05 },
      budget: { requests: 1 },
    }),
    getArtist: p.get('Artist', { traffic: { rate: 50 }, budget: { readUnits: 0.5 } }),
    artistByAlias: p.lookup('Artist', 'alias', { traffic: { rate: 20 }, budget: { requests: 2 } }),
    albumsOfArtist: p.query({ pk: 'artist#{artist}', sk: 'album#*', traffic: { rate: 50 } }),
    artistsOfCountry: p.query({ on: 'gsi1', pk: 'artist#{country}', limit: 50, traffic: { rate: 5 } }),
    albumsOfGenre: p.query({ on: 'gsi1', pk: 'album#{genre}', limit: 50, traffic: { rate: 30 } }),
    newestAlbums: p.query({
      description: 'Of all artists, newest first: ten partitions, merged in order',
      on: 'newest',
      pk: 'albums#{shard}',
      range: 'releasedOn',
      order: 'desc',
      limit: 20,
      traffic: { rate: 40, peakRate: 200 },
      budget: { requests: 10 },
    }),
    albumsByTitle: p.query({
      description: 'An alphabetical index, two letters a page',
      on: 'byTitle',
      pk: 'titles#{initials}',
      limit: 100,
      traffic: { rate: 2 },
      budget: { requests: 1 },
    }),
    saveArtist: p.put('Artist', { traffic: { rate: 0.5 } }),
    saveAlbum: p.put('Album', { traffic: { rate: 1 }, budget: { requests: 1 } }),

    // Songs.
    getSong: p.get('Song', { traffic: { rate: 400 }, budget: { readUnits: 0.5 } }),
    songsOfAlbum: p.query({
      pk: 'song#{artist}#{album}',
      traffic: { rate: 400, peakRate: 1000 },
      budget: { requests: 1 },
    }),
    songByIsrc: p.lookup('Song', 'isrc', {
      description: 'Strongly consistent, which no global index is',
      consistent: true,
      traffic: { rate: 20 },
      budget: { requests: 2, readUnits: 2 },
    }),
    songByMbid: p.lookup('Song', 'mbid', { traffic: { rate: 20 }, budget: { requests: 2 } }),
    recordingsOfWork: p.query({ pk: 'external#iswc#{iswc}', limit: 50, traffic: { rate: 5 } }),
    coversOf: p.query({ on: 'covers', pk: 'cover#{coverOf}', limit: 50, traffic: { rate: 5 } }),
    allCovers: p.scan({
      description: 'For the weekly list: the index holds covers and nothing else',
      on: 'covers',
      limit: 500,
      traffic: { rate: 0.00001 },
    }),
    addSong: p.create('Song', { traffic: { rate: 5 }, budget: { requests: 1 } }),
    correctSong: p.modify('Song', { changes: ['isrc'], traffic: { rate: 0.5 } }),
    getSingle: p.get('Single', { traffic: { rate: 50 }, budget: { requests: 1, readUnits: 0.5 } }),
    singlesOfArtist: p.query({
      pk: 'single#{artist}#{shard}',
      limit: 50,
      traffic: { rate: 20 },
      budget: { requests: 10 },
    }),
    addSingle: p.create('Single', { traffic: { rate: 1 } }),

    // Compilations.
    compilation: p.query({
      description: 'A compilation and its tracks in their order',
      pk: 'compilation#{label}',
      sk: '{album}#*',
      limit: 200,
      traffic: { rate: 10 },
      budget: { requests: 1 },
    }),
    addCompilation: p.transact(
      { 'Compilation.create': 1, 'CompilationTrack.create': 20 },
      { traffic: { rate: 0.01 } },
    ),

    // Playlists.
    playlist: p.query({ pk: 'playlist#{playlistId}', limit: 100, traffic: { rate: 200 }, budget: { requests: 1 } }),
    playlistsWithSong: p.query({ on: 'gsi1', pk: 'in#{artist}#{album}#{song}', limit: 20, traffic: { rate: 5 } }),
    createPlaylist: p.create('Playlist', { traffic: { rate: 5 } }),
    addToPlaylist: p.transact(
      { 'Song.check': 1, 'Playlist.update': 1, 'PlaylistEntry.create': 1 },
      { traffic: { rate: 60 }, budget: { requests: 1 } },
    ),

    // Plays.
    recordPlay: p.create('Play', {
      traffic: { rate: 2000, peakRate: 6000, hotKeyShare: 0.005 },
      budget: { writeUnits: 1 },
    }),
    latestPlays: p.query({
      description: 'Of one month, newest first',
      pk: 'plays#{artist}#{playedAt:month}#{shard}',
      order: 'desc',
      limit: 50,
      traffic: { rate: 5 },
      budget: { requests: 20 },
    }),
  }),
})
