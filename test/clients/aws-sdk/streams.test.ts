import type { DynamoDB } from '@aws-sdk/client-dynamodb'
import type { _Record, DynamoDBStreams, GetShardIteratorInput, Shard } from '@aws-sdk/client-dynamodb-streams'
import { beforeAll, expect, test } from 'vitest'
import { describeOnTargets } from '../../support/targets.ts'
import { sessionsTable } from '../domains/sessions.ts'

const { TableName } = sessionsTable

describeOnTargets(
  'A stream through client-dynamodb-streams',
  (target) => {
    let db: DynamoDB
    let streams: DynamoDBStreams
    let StreamArn: string
    let follower: Follower

    beforeAll(async () => {
      db = target.client()
      streams = target.streams()
      await db.createTable({
        ...sessionsTable,
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      })
      const { Streams = [] } = await streams.listStreams({ TableName })
      StreamArn = Streams[0]?.StreamArn ?? ''
      follower = new Follower(streams, StreamArn)
    })

    const put = (id: string, n: number, filler = '') =>
      db.putItem({ TableName, Item: { id: { S: id }, n: { N: `${n}` }, filler: { S: filler } } })

    const iterator = async (input: Omit<GetShardIteratorInput, 'StreamArn'>): Promise<string | undefined> =>
      (await streams.getShardIterator({ StreamArn, ...input })).ShardIterator

    test('shows the changes of an item in their order, with its images', async () => {
      await put('one', 1)
      await put('one', 2)
      await put('one', 2)
      await db.deleteItem({ TableName, Key: { id: { S: 'one' } } })
      const records = await follower.until(3)
      expect(records.map(({ eventName }) => eventName)).toEqual(['INSERT', 'MODIFY', 'REMOVE'])
      const shown = records.map(({ dynamodb }) => [dynamodb?.OldImage?.['n']?.N, dynamodb?.NewImage?.['n']?.N])
      expect(shown).toEqual([
        [undefined, '1'],
        ['1', '2'],
        ['2', undefined],
      ])
      expect(records[0]?.dynamodb?.ApproximateCreationDateTime).toBeInstanceOf(Date)
      expect(records[0]).toMatchObject({ eventSource: 'aws:dynamodb', awsRegion: 'us-east-1', eventVersion: '1.1' })
    })

    test('is read from its beginning, from a record, after a record, and from now', async () => {
      const { ShardId } = (await shardWith(streams, StreamArn, 'one')) ?? {}
      const numbers = async (from: string | undefined): Promise<(string | undefined)[]> =>
        (await readOn(streams, from)).records.map(({ dynamodb }) => dynamodb?.SequenceNumber)
      const all = await numbers(await iterator({ ShardId, ShardIteratorType: 'TRIM_HORIZON' }))
      const [, SequenceNumber] = all
      const latest = await iterator({ ShardId, ShardIteratorType: 'LATEST' })
      expect(all.length).toBe(3)
      expect(
        await numbers(await iterator({ ShardId, ShardIteratorType: 'AT_SEQUENCE_NUMBER', SequenceNumber })),
      ).toEqual(all.slice(1))
      expect(
        await numbers(await iterator({ ShardId, ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber })),
      ).toEqual(all.slice(2))
      expect(await numbers(latest)).toEqual([])
      await put('one', 3)
      expect((await numbers(latest)).length).toBe(1)
    })

    test('goes on in the children of a shard that had too much to do', async () => {
      const written = new Map<string, number>()
      const write = async (filler: string): Promise<void> => {
        for (let item = 0; item < 16; item++) {
          const count = written.get(`item ${item}`) ?? 0
          await put(`item ${item}`, count, filler)
          written.set(`item ${item}`, count + 1)
        }
      }
      await expect
        .poll(
          async () => {
            await write('x'.repeat(350_000))
            return (await allShards(streams, StreamArn)).some(({ ParentShardId }) => ParentShardId !== undefined)
          },
          { timeout: 60_000 },
        )
        .toBe(true)
      await write('')
      const total = 4 + [...written.values()].reduce((sum, count) => sum + count, 0)
      const records = await follower.until(total)
      expect(records.length).toBe(total)
      for (const [id, count] of written) {
        const counters = records
          .filter(({ dynamodb }) => dynamodb?.Keys?.['id']?.S === id)
          .map(({ dynamodb }) => Number(dynamodb?.NewImage?.['n']?.N))
        expect(counters).toEqual(Array.from({ length: count }, (_, n) => n))
      }
    })

    test('names the service where a time to live was over', async () => {
      await db.updateTimeToLive({ TableName, TimeToLiveSpecification: { Enabled: true, AttributeName: 'until' } })
      const until = { N: String(Math.floor(Date.now() / 1000) - 5) }
      const before = follower.records.length
      await db.putItem({ TableName, Item: { id: { S: 'brief' }, until } })
      const [insert, removal] = (await follower.until(before + 2)).slice(before)
      expect(insert?.userIdentity).toBeUndefined()
      expect(removal).toMatchObject({
        eventName: 'REMOVE',
        userIdentity: { PrincipalId: 'dynamodb.amazonaws.com', Type: 'Service' },
        dynamodb: { OldImage: { id: { S: 'brief' }, until } },
      })
    })

    test('refuses in the service’s words', async () => {
      await expect(streams.getRecords({ ShardIterator: 'nonsense' })).rejects.toMatchObject({
        name: 'ValidationException',
        message: 'Invalid ShardIterator',
      })
      const missing = StreamArn.replace(/[^/]*$/, '2020-01-01T00:00:00.000')
      await expect(streams.describeStream({ StreamArn: missing })).rejects.toMatchObject({
        name: 'ResourceNotFoundException',
        message: `Requested resource not found: Stream: ${missing} not found`,
      })
    })
  },
  { ttlSweepMs: 100 },
)

/** Reads each shard once its parent has been read to its end, and remembers where it is. */
class Follower {
  readonly records: _Record[] = []
  /** Nothing stands for the end of a shard. */
  readonly #positions = new Map<string, string | undefined>()
  readonly #streams: DynamoDBStreams
  readonly #streamArn: string

  constructor(streams: DynamoDBStreams, streamArn: string) {
    this.#streams = streams
    this.#streamArn = streamArn
  }

  async until(count: number): Promise<readonly _Record[]> {
    await expect
      .poll(
        async () => {
          await this.#turn()
          return this.records.length
        },
        { timeout: 60_000 },
      )
      .toBeGreaterThanOrEqual(count)
    return this.records
  }

  async #turn(): Promise<void> {
    for (const { ShardId = '', ParentShardId } of await allShards(this.#streams, this.#streamArn)) {
      if (ParentShardId !== undefined && this.#positions.get(ParentShardId) !== undefined) continue
      const position = this.#positions.has(ShardId) ? this.#positions.get(ShardId) : await this.#start(ShardId)
      const { records, next } = await readOn(this.#streams, position)
      this.records.push(...records)
      this.#positions.set(ShardId, next)
    }
  }

  async #start(ShardId: string): Promise<string | undefined> {
    const request = { StreamArn: this.#streamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' } as const
    return (await this.#streams.getShardIterator(request)).ShardIterator
  }
}

/** Reads until nothing more comes for now, or the shard ends. */
async function readOn(
  streams: DynamoDBStreams,
  start: string | undefined,
): Promise<{ readonly records: readonly _Record[]; readonly next: string | undefined }> {
  const records: _Record[] = []
  let next = start
  while (next !== undefined) {
    const answer = await streams.getRecords({ ShardIterator: next })
    const page = answer.Records ?? []
    records.push(...page)
    next = answer.NextShardIterator
    if (page.length === 0) break
  }
  return { records, next }
}

async function shardWith(streams: DynamoDBStreams, StreamArn: string, id: string): Promise<Shard | undefined> {
  for (const shard of await allShards(streams, StreamArn)) {
    const { ShardIterator } = await streams.getShardIterator({
      StreamArn,
      ShardId: shard.ShardId,
      ShardIteratorType: 'TRIM_HORIZON',
    })
    const { records } = await readOn(streams, ShardIterator)
    if (records.some(({ dynamodb }) => dynamodb?.Keys?.['id']?.S === id)) return shard
  }
  return undefined
}

async function allShards(streams: DynamoDBStreams, StreamArn: string): Promise<readonly Shard[]> {
  const shards: Shard[] = []
  let ExclusiveStartShardId: string | undefined
  do {
    const { StreamDescription: page } = await streams.describeStream({ StreamArn, ExclusiveStartShardId, Limit: 3 })
    shards.push(...(page?.Shards ?? []))
    ExclusiveStartShardId = page?.LastEvaluatedShardId
  } while (ExclusiveStartShardId !== undefined)
  return shards
}
