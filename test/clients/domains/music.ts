import { createHash } from 'node:crypto'
import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb'
import type { PlainItem } from './plain-item.ts'

/** A catalogue of artists, their albums and songs. The songs of an artist are spread over ten partitions, and each song is
 *  also found by its identifiers in other systems, through index items in the table itself. */
export const musicTable = {
  TableName: 'Music',
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
  ],
} satisfies CreateTableCommandInput

export interface Song {
  readonly artist: string
  readonly title: string
  readonly durationSeconds: number
}

export const artist = 'Solar Fields'
export const shardCount = 10

/** Enough songs that several fall on one shard. */
export const songs: readonly Song[] = [
  'Air Song',
  'Monogram',
  'Leaving Home',
  'Sol',
  'Discovering',
  'Insum',
  'Silent Walking',
  'Cobalt 2.5',
  'Sky Trees',
  'Electric Fluid',
  'Third Time',
  'Circles of Motion',
  'Black Arrow',
  'Times Are Good',
  'Dust',
  'Brainbow',
  'Star Fruit',
  'Feelings',
  'Das Bungalow',
  'Summer',
  'Cruise',
  'Perception',
  'Reflective Frequencies',
  'Introduction',
].map((title, index) => ({ artist, title, durationSeconds: 300 + index }))

/** The partition a song is on can be computed from what a reader knows. */
export function songKey(song: Pick<Song, 'artist' | 'title'>): { pk: string; sk: string } {
  return { pk: shardKey(song.artist, shardOf(song.title)), sk: song.title }
}

function shardKey(artistName: string, shard: number): string {
  return `${artistName}#${shard}`
}

export function shardOf(title: string): number {
  return Number(BigInt(`0x${createHash('sha256').update(title).digest('hex')}`) % BigInt(shardCount))
}

export const shardKeys: readonly string[] = Array.from({ length: shardCount }, (_, shard) =>
  shardKey(artist, shard),
)

export function songItem(song: Song): PlainItem {
  return { ...songKey(song), ...song }
}

export interface ExternalId {
  readonly type: 'isrc' | 'iswc' | 'mbid'
  readonly id: string
}

export const externalIds: readonly [ExternalId, ExternalId] = [
  { type: 'isrc', id: 'SEXGF0900101' },
  { type: 'mbid', id: '5f3b1c9e' },
]

/** Points from an identifier in another system to the song. */
export function externalIdItem(external: ExternalId, song: Song): PlainItem & { pk: string; sk: string } {
  const key = songKey(song)
  return {
    pk: `external#${external.type}#${external.id}`,
    sk: `song#${key.pk}#${key.sk}`,
    songPk: key.pk,
    songSk: key.sk,
  }
}

/** An artist's own partition. `BETWEEN 'album#' AND 'artist'` takes the albums and the artist, and leaves the rest. */
export const artistItems: readonly (PlainItem & { pk: string; sk: string })[] = [
  { pk: artist, sk: 'album#Leaving Home', genre: 'Electronic' },
  { pk: artist, sk: 'album#Movements', genre: 'Ambient' },
  { pk: artist, sk: 'artist', variations: ['Solarfields'] },
  { pk: artist, sk: 'concert#2026-08-01', city: 'Gothenburg' },
]

export const albumsAndArtist = ['album#Leaving Home', 'album#Movements', 'artist'] as const
