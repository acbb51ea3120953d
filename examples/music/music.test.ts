import { add, exists, shardOf, type Client } from '@hashrange/model'
import { expect, test } from 'vitest'
import { describeOnEach } from '../testing/describe-on-each.ts'
import { music } from './music.model.ts'

type Db = Client<typeof music>

const listenerId = '01J00000000000000000000000'

async function fillCatalogue(db: Db): Promise<void> {
  await db.saveArtist({ artist: 'Solar Fields', country: 'Sweden', aliases: ['Solarfields', 'Magnus B.'] })
  await db.saveArtist({ artist: 'Carbon Based Lifeforms', country: 'Sweden', aliases: ['CBL'] })
  await db.saveArtist({ artist: 'Ishome', country: 'Russia', aliases: [] })
  const albums = [
    ['Solar Fields', 'Leaving Home', 'Ambient', '2005-04-01'],
    ['Solar Fields', 'Movements', 'Ambient', '2009-05-25'],
    ['Carbon Based Lifeforms', 'Interloper', 'Ambient', '2010-06-01'],
    ['Ishome', 'Confession', 'Electronic', '2013-03-04'],
  ] as const
  for (const [artist, album, genre, releasedOn] of albums) await db.saveAlbum({ artist, album, genre, releasedOn })
}

describeOnEach(music, (openModel) => {
  test('an artist and the albums are one query', async () => {
    const { db } = await openModel()
    await fillCatalogue(db)
    const { items, cost } = await db.artistPage({ artist: 'Solar Fields' })
    expect(items.Artist[0]?.aliases).toEqual(new Set(['Solarfields', 'Magnus B.']))
    expect(items.Album.map(({ album }) => album)).toEqual(['Leaving Home', 'Movements'])
    expect(cost.requests).toBe(1)
    const { items: albums } = await db.albumsOfArtist({ artist: 'Solar Fields' })
    expect(albums.Album).toEqual(items.Album)
  })

  test('every spelling leads to the artist, as long as it is one', async () => {
    const { db } = await openModel()
    await fillCatalogue(db)
    expect((await db.artistByAlias({ aliases: 'Solarfields' })).item?.artist).toBe('Solar Fields')
    const { item } = await db.getArtist({ artist: 'Solar Fields' })
    if (item === undefined) throw new Error('The artist is gone.')
    await db.saveArtist({ ...item, aliases: ['S. Fields'] })
    expect((await db.artistByAlias({ aliases: 'Solarfields' })).item).toBeUndefined()
    expect((await db.artistByAlias({ aliases: 'S. Fields' })).item?.country).toBe('Sweden')
    const refused = db.saveArtist({ artist: 'AC#DC', country: 'Australia', aliases: [] })
    await expect(refused).rejects.toThrow("Artist.artist: must be a text without '#'")
  })

  test('one index lists artists by country and albums by genre', async () => {
    const { db } = await openModel()
    await fillCatalogue(db)
    const artists = await db.artistsOfCountry({ country: 'Sweden' })
    expect(artists.items.Artist.map(({ artist }) => artist)).toEqual(['Carbon Based Lifeforms', 'Solar Fields'])
    const albums = await db.albumsOfGenre({ genre: 'Ambient' })
    expect(albums.items.Album.map(({ album }) => album)).toEqual(['Interloper', 'Leaving Home', 'Movements'])
  })

  test('all albums come newest first from ten shards, page by page', async () => {
    const { db } = await openModel()
    await fillCatalogue(db)
    const first = await db.newestAlbums({}, { limit: 3 })
    expect(first.items.Album.map(({ album }) => album)).toEqual(['Confession', 'Interloper', 'Movements'])
    const second = await db.newestAlbums({}, { limit: 3, cursor: first.cursor })
    expect(second.items.Album.map(({ album }) => album)).toEqual(['Leaving Home'])
    const since = await db.newestAlbums({ releasedOn: { from: '2010' } })
    expect(since.items.Album).toHaveLength(2)
  })

  test('titles are listed by their first two letters', async () => {
    const { db } = await openModel()
    await fillCatalogue(db)
    await db.saveAlbum({ artist: 'Solar Fields', album: 'Coming Down', genre: 'Ambient', releasedOn: '2014-01-01' })
    const { items } = await db.albumsByTitle({ album: 'Co' })
    expect(items.Album.map(({ album }) => album)).toEqual(['Coming Down', 'Confession'])
  })

  test('a song is found by each of its external ids, consistently, and no longer by one it lost', async () => {
    const { db, client } = await openModel()
    const key = { artist: 'Solar Fields', album: 'Leaving Home', song: 'Air Song' }
    const mbid = '6f1c2e0a-8a55-4f0e-9f3a-2f2f0c3d1b11'
    await db.addSong({ ...key, seconds: 741, isrc: 'SEABC0500001', iswc: 'T1234567890', mbid })
    await db.addSong({ ...key, song: 'Monogram', seconds: 944 })
    expect((await db.songByIsrc({ isrc: 'SEABC0500001' })).item?.song).toBe('Air Song')
    expect((await db.songByMbid({ mbid })).item?.song).toBe('Air Song')

    const corrected = await db.correctSong(key, (song) => ({ ...song, isrc: 'SEABC0500002' }))
    expect(corrected.item.version).toBe(2)
    expect((await db.songByIsrc({ isrc: 'SEABC0500001' })).item).toBeUndefined()
    expect((await db.songByIsrc({ isrc: 'SEABC0500002' })).item?.seconds).toBe(741)

    const { items } = await db.songsOfAlbum({ artist: 'Solar Fields', album: 'Leaving Home' })
    expect(items.Song.map(({ song, seconds }) => [song, seconds])).toEqual([
      ['Air Song', 741],
      ['Monogram', 944],
    ])
    expect((await db.getSong({ ...key, song: 'Monogram' })).item?.isrc).toBeUndefined()
    await db.Song.delete(key)
    expect((await client.scan({ TableName: 'music' })).Count).toBe(1)
  })

  test('many recordings share the id of their work', async () => {
    const { db } = await openModel()
    const song = { album: 'Live', song: 'Air Song', iswc: 'T1234567890' }
    for (const artist of ['Ishome', 'Solar Fields']) await db.addSong({ ...song, artist, seconds: 700 })
    const { items } = await db.recordingsOfWork({ iswc: 'T1234567890' })
    expect(items['Song.iswc'].map(({ artist, seconds }) => [artist, seconds])).toEqual([
      ['Ishome', 700],
      ['Solar Fields', 700],
    ])
  })

  test('two corrections at once are both made', async () => {
    const { db } = await openModel()
    const key = { artist: 'Solar Fields', album: 'Leaving Home', song: 'Air Song' }
    await db.addSong({ ...key, seconds: 700 })
    await Promise.all(
      [1, 2, 3].map((more) => db.Song.modify(key, (song) => ({ ...song, seconds: song.seconds + more }))),
    )
    expect((await db.getSong(key)).item).toMatchObject({ seconds: 706, version: 4 })
  })

  test('only covers are in the index of covers', async () => {
    const { db } = await openModel()
    const album = { artist: 'Ishome', album: 'Covers' }
    await db.addSong({ ...album, song: 'Airs', seconds: 300, kind: 'cover', coverOf: 'Air Song' })
    await db.addSong({ ...album, song: 'Own', seconds: 300 })
    await db.addSong({ ...album, song: 'Mono', seconds: 300, kind: 'cover', coverOf: 'Monogram' })
    expect((await db.coversOf({ coverOf: 'Air Song' })).items.Song).toEqual([
      { ...album, song: 'Airs', coverOf: 'Air Song' },
    ])
    const titles: string[] = []
    for await (const { item } of db.allCovers.iterate()) titles.push(item.song)
    expect(titles.toSorted()).toEqual(['Airs', 'Mono'])
    // Both parts of the key, as the types demand.
    await db.Song.update({ ...album, song: 'Mono' }, { kind: 'original', coverOf: 'Monogram' })
    expect((await db.coversOf({ coverOf: 'Monogram' })).items.Song).toEqual([])
  })

  test('singles are spread over ten partitions, and one is still got by its title', async () => {
    const { db, client } = await openModel()
    const artist = 'Solar Fields'
    for (let n = 1; n <= 30; n++) await db.addSingle({ artist, song: `Single ${n}`, seconds: n })
    const { item, cost } = await db.getSingle({ artist, song: 'Single 7' })
    expect(item).toEqual({ artist, song: 'Single 7', seconds: 7 })
    expect(cost.requests).toBe(1)
    const { items } = await db.singlesOfArtist({ artist })
    expect(items.Single).toHaveLength(30)
    const pk = `single#${artist}#${shardOf('Single 7', 10)}`
    const stored = await client.getItem({ TableName: 'music', Key: { pk: { S: pk }, sk: { S: 'Single 7' } } })
    expect(stored.Item?.['seconds']).toEqual({ N: '7' })
  })

  test('a compilation stands right before its tracks', async () => {
    const { db } = await openModel()
    const label = 'Ultimae'
    for (const album of ['Fahrenheit', 'Fahrenheit Project']) {
      await db.addCompilation((t) => [
        t.Compilation.create({ label, album, releasedOn: '2011-05-01' }),
        ...[1, 2, 10].map((position) =>
          t.CompilationTrack.create({ label, album, position, artist: 'Ishome', song: `Track ${position}` }),
        ),
      ])
    }
    const { items, cost } = await db.compilation({ label, album: 'Fahrenheit' })
    expect(items.Compilation).toEqual([{ label, album: 'Fahrenheit', releasedOn: '2011-05-01' }])
    expect(items.CompilationTrack.map(({ position }) => position)).toEqual([1, 2, 10])
    expect(cost.requests).toBe(1)
  })

  test('a playlist has many songs, and a song is in many playlists', async () => {
    const { db } = await openModel()
    const song = { artist: 'Solar Fields', album: 'Leaving Home', song: 'Air Song' }
    await db.addSong({ ...song, seconds: 741 })
    const lists = [await db.createPlaylist({ title: 'Evening' }), await db.createPlaylist({ title: 'Train' })]
    for (const { item } of lists) {
      const { playlistId } = item
      await db.addToPlaylist((t) => [
        t.Song.check(song, { seconds: exists() }),
        t.Playlist.update({ playlistId }, { length: add(1) }),
        t.PlaylistEntry.create({ playlistId, position: 1, ...song, seconds: 741 }),
      ])
    }
    const { items } = await db.playlistsWithSong(song)
    expect(items.PlaylistEntry.map(({ playlistId }) => playlistId).toSorted()).toEqual(
      lists.map(({ item }) => item.playlistId).toSorted(),
    )
    const shown = await db.playlist({ playlistId: lists[0]?.item.playlistId ?? '' })
    expect(shown.items.Playlist[0]).toMatchObject({ title: 'Evening', length: 1 })
    expect(shown.items.PlaylistEntry[0]).toMatchObject({ song: 'Air Song', seconds: 741 })
  })

  test('plays are written anywhere and read together, by month', async () => {
    const { db, client, advance } = await openModel()
    const play = { artist: 'Ishome', song: 'Confession', listenerId }
    for (let n = 0; n < 30; n++) {
      await db.recordPlay(play)
      await advance(24 * 3_600_000)
    }
    const june = await db.latestPlays({ artist: 'Ishome', playedAt: '2026-06' })
    expect(june.items.Play.map(({ playedAt }) => playedAt.slice(0, 10))).toEqual(
      Array.from({ length: 16 }, (_, n) => `2026-06-${30 - n}`),
    )
    const july = await db.latestPlays({ artist: 'Ishome', playedAt: '2026-07-31' }, { limit: 5 })
    expect(july.items.Play.map(({ playedAt }) => playedAt.slice(8, 10))).toEqual(['14', '13', '12', '11', '10'])
    const { Items = [] } = await client.scan({ TableName: 'music' })
    expect(new Set(Items.map(({ pk }) => pk?.S)).size).toBeGreaterThan(2)
  })
})
