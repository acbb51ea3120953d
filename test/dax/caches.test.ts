import { open, type Database } from 'hashrange'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { daxClient, type DaxClient } from './dax-client.ts'

const TableName = 'Songs'
const minute = 60_000

describe('a DAX client', () => {
  let nowMs = Date.UTC(2026, 0, 1)
  let db: Database
  let dax: DaxClient
  let endpoint = ''
  let artist = ''
  let count = 0

  beforeAll(async () => {
    db = await open({ clock: { now: () => nowMs } })
    await db.execute('CreateTable', {
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'Artist', KeyType: 'HASH' },
        { AttributeName: 'Track', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'Artist', AttributeType: 'S' },
        { AttributeName: 'Track', AttributeType: 'N' },
      ],
    })
    const server = await db.listen({ daxPort: 0, daxCacheMb: 1 })
    endpoint = server.endpoint
    dax = daxClient(server.daxEndpoint)
  })
  afterAll(async () => {
    dax.shutdown()
    await db.close()
  })
  beforeEach(() => {
    artist = `artist ${count++}`
  })

  const keyOf = (track: string) => ({ Artist: { S: artist }, Track: { N: track } })
  const put = (track: string, plays: string) =>
    db.execute('PutItem', { TableName, Item: { ...keyOf(track), Plays: { N: plays } } })
  const playsOf = async (track: string, ConsistentRead = false) =>
    (await dax.getItem({ TableName, Key: keyOf(track), ConsistentRead })).Item?.['Plays']?.N
  const query = () =>
    dax.query({
      TableName,
      KeyConditionExpression: 'Artist = :a',
      ExpressionAttributeValues: { ':a': { S: artist } },
    })

  test('reads an item as it was until its time is over, and as it is with strong consistency', async () => {
    await put('1', '10')
    expect(await playsOf('1')).toBe('10')
    await put('1', '11')
    expect(await playsOf('1', true)).toBe('11')
    nowMs += 5 * minute - 1
    expect(await playsOf('1')).toBe('10')
    nowMs += 1
    expect(await playsOf('1')).toBe('11')
  })

  test('is told for five minutes that an item does not exist', async () => {
    expect(await playsOf('1')).toBeUndefined()
    await put('1', '1')
    expect(await playsOf('1')).toBeUndefined()
    nowMs += 5 * minute
    expect(await playsOf('1')).toBe('1')
  })

  test('sees what it has written itself at once', async () => {
    expect(await playsOf('-1.5')).toBeUndefined()
    await dax.putItem({ TableName, Item: { ...keyOf('-1.5'), Plays: { N: '3.25' } } })
    expect(await playsOf('-1.5')).toBe('3.25')
    const update = {
      TableName,
      Key: keyOf('-1.5'),
      UpdateExpression: 'SET Plays = Plays + :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
    }
    await dax.updateItem(update)
    expect(await playsOf('-1.5')).toBe('4.25')
    const { Attributes } = await dax.updateItem({ ...update, ReturnValues: 'UPDATED_NEW' })
    expect(Attributes).toEqual({ Plays: { N: '5.25' } })
    expect(await playsOf('-1.5')).toBe('5.25')
    await dax.deleteItem({ TableName, Key: keyOf('-1.5') })
    expect(await playsOf('-1.5')).toBeUndefined()
    await dax.batchWriteItem({
      RequestItems: { [TableName]: [{ PutRequest: { Item: { ...keyOf('-1.5'), Plays: { N: '7' } } } }] },
    })
    expect(await playsOf('-1.5')).toBe('7')
    const Put = { TableName, Item: { ...keyOf('-1.5'), Plays: { N: '8' } } }
    await dax.transactWriteItems({ TransactItems: [{ Put }] })
    expect(await playsOf('-1.5')).toBe('8')
  })

  test('keeps what it had if a condition fails', async () => {
    await put('1', '1')
    await playsOf('1')
    await put('1', '2')
    const refused = dax.putItem({
      TableName,
      Item: keyOf('1'),
      ConditionExpression: 'attribute_not_exists(Artist)',
    })
    await expect(refused).rejects.toMatchObject({ code: 'ConditionalCheckFailedException' })
    expect(await playsOf('1')).toBe('1')
  })

  test('gets the results of a query from a cache that no write changes', async () => {
    await put('1', '1')
    expect((await query()).Count).toBe(1)
    await dax.putItem({ TableName, Item: keyOf('2') })
    expect((await query()).Count).toBe(1)
    expect(await dax.getItem({ TableName, Key: keyOf('2') })).toMatchObject({ Item: keyOf('2') })
    nowMs += 5 * minute
    expect((await query()).Items).toEqual([{ ...keyOf('1'), Plays: { N: '1' } }, keyOf('2')])
  })

  test('reads items of a batch from the cache, each by itself', async () => {
    await Promise.all([put('1', '1'), put('2', '2')])
    await playsOf('1')
    await Promise.all([put('1', '10'), put('2', '20')])
    const { Responses } = await dax.batchGetItem({
      RequestItems: { [TableName]: { Keys: [keyOf('1'), keyOf('2'), keyOf('3')], ProjectionExpression: 'Plays' } },
    })
    expect(Responses?.[TableName]).toEqual([{ Plays: { N: '1' } }, { Plays: { N: '20' } }])
    const read = await dax.transactGetItems({ TransactItems: [{ Get: { TableName, Key: keyOf('1') } }] })
    expect(read.Responses?.[0]?.Item?.['Plays']).toEqual({ N: '10' })
    expect(await playsOf('1')).toBe('1')
  })

  test('makes room for what is used last', async () => {
    const large = 'x'.repeat(300_000)
    for (const track of ['1', '2', '3', '4']) {
      await dax.putItem({ TableName, Item: { ...keyOf(track), Text: { S: large } } })
    }
    const page = await (await fetch(`${endpoint}/metrics`)).text()
    const figure = (name: string) =>
      Number(new RegExp(`^hashrange_dax_${name}{cache="item"} (\\d+)$`, 'm').exec(page)?.[1])
    expect(figure('cache_evictions_total')).toBeGreaterThan(0)
    expect(figure('cache_size_bytes')).toBeLessThan(1024 * 1024)
    expect(figure('cache_hits_total')).toBeGreaterThan(0)
  })
})
