import { CreateTableCommand } from '@aws-sdk/client-dynamodb'
import { beforeAll, expect, test } from 'vitest'
import {
  albumsAndArtist,
  artist,
  artistItems,
  externalIdItem,
  externalIds,
  musicTable,
  shardKeys,
  songItem,
  songKey,
  songs,
  type Song,
} from '../domains/music.ts'
import { describeOnSdk } from './describe-on-sdk.ts'

const { TableName } = musicTable
const song: Song = { artist, title: 'Air Song', durationSeconds: 741 }

describeOnSdk('A music catalogue', ({ sdk, plain }) => {
  beforeAll(async () => {
    await sdk().send(new CreateTableCommand(musicTable))
  })

  test('songs scattered over ten partitions are gathered again, each shard in order', async () => {
    await plain().batchWrite({
      RequestItems: { [TableName]: songs.map((each) => ({ PutRequest: { Item: songItem(each) } })) },
    })
    const shards = await Promise.all(
      shardKeys.map(async (pk) => {
        const query = { TableName, KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } }
        return (await plain().query(query)).items.map((item) => String(item['title']))
      }),
    )
    expect(shards.filter((titles) => titles.length > 1).length).toBeGreaterThan(3)
    for (const titles of shards) expect(titles).toEqual(titles.toSorted())
    expect(shards.flat().toSorted()).toEqual(songs.map((each) => each.title).toSorted())
  })

  test('a song is found on the shard that its title computes', async () => {
    const found = await plain().get({ TableName, Key: songKey({ artist, title: 'Monogram' }) })
    expect(found).toMatchObject({ title: 'Monogram', durationSeconds: 301 })
  })

  test('a song and its index items appear together', async () => {
    await plain().transactWrite({
      TransactItems: [
        { Put: { TableName, Item: { ...songItem(song), external: externalIds } } },
        ...externalIds.map((external) => ({
          Put: { TableName, Item: externalIdItem(external, song), ConditionExpression: 'attribute_not_exists(pk)' },
        })),
      ],
    })
    for (const { type, id } of externalIds) {
      const { items } = await plain().query({
        TableName,
        KeyConditionExpression: 'pk = :external AND begins_with(sk, :song)',
        ExpressionAttributeValues: { ':external': `external#${type}#${id}`, ':song': 'song#' },
        ConsistentRead: true,
      })
      const [pointer] = items
      const Key = { pk: pointer?.['songPk'], sk: pointer?.['songSk'] }
      expect(await plain().get({ TableName, Key, ConsistentRead: true })).toMatchObject(song)
    }
  })

  test('an identifier that is taken leaves neither the song nor its index items behind', async () => {
    const other: Song = { artist: 'Ishome', title: 'Confession', durationSeconds: 366 }
    const fresh = { type: 'iswc', id: 'T-034.524.680-1' } as const
    const writing = plain().transactWrite({
      TransactItems: [
        { Put: { TableName, Item: songItem(other) } },
        ...[fresh, externalIds[0]].map((external) => ({
          Put: {
            TableName,
            // One identifier belongs to one song: the key is taken whoever wants it.
            Item: { ...externalIdItem(external, other), sk: externalIdItem(external, song).sk },
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        })),
      ],
    })
    await expect(writing).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
    })
    const left = await plain().transactGet({
      TransactItems: [
        { Get: { TableName, Key: songKey(other) } },
        { Get: { TableName, Key: { pk: `external#iswc#${fresh.id}`, sk: externalIdItem(fresh, song).sk } } },
        { Get: { TableName, Key: songKey(song) } },
      ],
    })
    expect(left).toEqual([undefined, undefined, expect.objectContaining(song)])
  })

  test('a song and its index items go together', async () => {
    const keys = externalIds.map((external) => externalIdItem(external, song)).map(({ pk, sk }) => ({ pk, sk }))
    await plain().transactWrite({
      TransactItems: [songKey(song), ...keys].map((Key) => ({ Delete: { TableName, Key } })),
    })
    const left = await plain().batchGet({ RequestItems: { [TableName]: { Keys: [songKey(song), ...keys] } } })
    expect(left).toEqual({ [TableName]: [] })
  })

  test('albums and the artist come in one query, between two sort keys', async () => {
    await Promise.all(artistItems.map((Item) => plain().put({ TableName, Item })))
    const { items } = await plain().query({
      TableName,
      KeyConditionExpression: 'pk = :artist AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':artist': artist, ':from': 'album#', ':to': 'artist' },
    })
    expect(items.map((item) => item['sk'])).toEqual(albumsAndArtist)
  })
})
