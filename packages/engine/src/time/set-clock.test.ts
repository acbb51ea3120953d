import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { OwnedEngine, seededNumbers, sorted, type Plain } from '../backups/testing/owned-engine.ts'
import { forgetTokens as forget } from '../background/forget-tokens.ts'
import { tokensExpireBy } from '../transactions/client-token.ts'
import { trimChangeLogs } from '../background/trim-change-log.ts'
import { toPlain } from '../wire/raw-json.ts'

/** What an engine does while its clock is set back and forth, by a clock that the test owns. */
let folder: string
let owned: OwnedEngine

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hashrange-'))
  owned = await OwnedEngine.open({ path: folder })
})

afterEach(async () => {
  await owned.engine.close()
  await rm(folder, { recursive: true })
  expect(owned.errors).toEqual([])
})

/** Stops it, and starts it again with a clock that was set meanwhile. */
async function restart(byMs = 0): Promise<void> {
  await owned.engine.close()
  owned = await OwnedEngine.open({ path: folder }, { nowMs: owned.clock.nowMs + byMs })
}

const createTable = (TableName: string, more: object = {}): Promise<Plain> =>
  owned.run('CreateTable', {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    ...more,
  })

/** A table with all it was, by the time that the clock showed. */
class Writes {
  readonly history: (readonly [nowMs: number, items: ReadonlyMap<string, Plain>])[] = []
  readonly #items = new Map<string, Plain>()
  readonly #number: (below: number) => number
  #count = 0

  constructor(seed: number) {
    this.#number = seededNumbers(seed)
  }

  note(): void {
    this.history.push([owned.clock.nowMs, new Map(this.#items)])
  }

  /** Transactions too, whose parts must never be seen apart. */
  async run(count: number): Promise<void> {
    for (let write = 0; write < count; write++) {
      owned.clock.nowMs += this.#number(3) * this.#number(2_000)
      const names = Array.from({ length: 1 + this.#number(3) }, (_, n) => `item ${this.#number(20)} ${n}`)
      const items = names.map((name) => ({ pk: { S: name }, n: { N: String(++this.#count) } }))
      if (this.#number(4) === 0) {
        await owned.run('DeleteItem', { TableName: 'source', Key: { pk: { S: names[0] } } })
        this.#items.delete(names[0] ?? '')
      } else {
        const TransactItems = items.map((Item) => ({ Put: { TableName: 'source', Item } }))
        await owned.run('TransactWriteItems', { TransactItems })
        for (const item of items) this.#items.set(item.pk.S, item)
      }
      this.note()
    }
  }

  /** What the table was when the clock last showed a moment, or had not come to it. */
  at(atMs: number): readonly Plain[] {
    const [, items] = this.history.findLast(([nowMs]) => nowMs <= atMs) ?? []
    return [...(items?.values() ?? [])]
  }
}

describe('point-in-time recovery', () => {
  test('restores what the table was at a moment, however the clock was set meanwhile', async () => {
    const points = Number(process.env['HASHRANGE_RESTORE_POINTS'] ?? 20)
    const seed = Number(process.env['HASHRANGE_SEED'])
    const number = seededNumbers(seed + 1)
    await createTable('source')
    await owned.run('UpdateContinuousBackups', {
      TableName: 'source',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    })
    const writes = new Writes(seed)
    const enabledMs = owned.clock.nowMs
    writes.note()
    await writes.run(30)
    const steps: readonly (() => unknown)[] = [
      () => (owned.clock.nowMs -= 20_000),
      () => restart(),
      () => (owned.clock.nowMs += hourMs),
      () => (owned.clock.nowMs -= 30 * minuteMs),
      // Ahead by a year for a moment, which must not count afterwards.
      () => (owned.clock.nowMs += 365 * dayMs),
      () => (owned.clock.nowMs -= 365 * dayMs),
      () => restart(-25 * minuteMs),
      () => restart(10 * dayMs),
      () => restart(-10 * dayMs),
    ]
    for (const step of steps) {
      await step()
      await writes.run(10 + number(10))
    }
    owned.clock.nowMs += minuteMs

    const shown = writes.history.map(([nowMs]) => nowMs).filter((nowMs) => nowMs <= owned.clock.nowMs)
    for (let point = 0; point < points; point++) {
      const chosen = shown[number(shown.length)] ?? enabledMs
      const atMs = Math.min(chosen + (number(3) === 0 ? number(5_000) : 0), owned.clock.nowMs)
      await owned.run('RestoreTableToPointInTime', {
        SourceTableName: 'source',
        TargetTableName: `at-${point}`,
        RestoreDateTime: atMs / 1000,
      })
      await owned.engine.background.idle()
      const found = sorted(await owned.scanAll(`at-${point}`))
      expect(found, `the moment ${atMs}`).toEqual(sorted(writes.at(atMs)))
    }
  })

  test.each([false, true])(
    'reaches back as far as before, and no further, when the clock is set back',
    async (isRestarted) => {
      await createTable('source')
      const recovery = { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 3 }
      await owned.run('UpdateContinuousBackups', {
        TableName: 'source',
        PointInTimeRecoverySpecification: recovery,
      })
      const writes = new Writes(7)
      for (let day = 0; day < 8; day++) {
        await writes.run(5)
        owned.clock.nowMs += dayMs
      }
      await trimChangeLogs(owned.engine, { aborted: false })
      owned.clock.nowMs -= 2 * dayMs
      if (isRestarted) await restart()
      await writes.run(5)
      const [, second] = [...writes.history].toReversed()
      const restore = (TargetTableName: string, atMs: number): Promise<Plain> =>
        owned.run('RestoreTableToPointInTime', {
          SourceTableName: 'source',
          TargetTableName,
          RestoreDateTime: atMs / 1000,
        })
      await restore('again', second?.[0] ?? 0)
      await owned.engine.background.idle()
      expect(sorted(await owned.scanAll('again'))).toEqual(sorted(writes.at(second?.[0] ?? 0)))
      // Three days before the clock was set back, not before what it shows now.
      await expect(restore('old', owned.clock.nowMs - 2.5 * dayMs)).rejects.toMatchObject({
        code: 'InvalidRestoreTimeException',
      })
    },
  )

  test('a year ahead by mistake takes nothing from it', async () => {
    await createTable('source')
    await owned.run('UpdateContinuousBackups', {
      TableName: 'source',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    })
    const writes = new Writes(8)
    await writes.run(10)
    const atMs = owned.clock.nowMs
    owned.clock.nowMs += 365 * dayMs
    await writes.run(10)
    owned.clock.nowMs -= 365 * dayMs
    owned.clock.nowMs += hourMs
    await writes.run(10)
    await owned.run('RestoreTableToPointInTime', {
      SourceTableName: 'source',
      TargetTableName: 'before',
      RestoreDateTime: atMs / 1000,
    })
    await owned.engine.background.idle()
    expect(sorted(await owned.scanAll('before'))).toEqual(sorted(writes.at(atMs)))
  })
})

describe('a token', () => {
  const send = (ClientRequestToken: string): Promise<Plain> =>
    owned.run('TransactWriteItems', {
      ClientRequestToken,
      TransactItems: [
        {
          Update: {
            TableName: 'counts',
            Key: { pk: { S: ClientRequestToken } },
            UpdateExpression: 'ADD n :one',
            ExpressionAttributeValues: { ':one': { N: '1' } },
          },
        },
      ],
    })
  const forgetTokens = (): Promise<void> =>
    forget(owned.engine.store, tokensExpireBy(owned.engine.clock), { aborted: false })
  const count = async (pk: string): Promise<unknown> =>
    (await owned.ask('GetItem', { TableName: 'counts', Key: { pk: { S: pk } } }))['n']

  test('is good for ten minutes, and ten more if the clock is set back meanwhile', async () => {
    await createTable('counts')
    await send('a')
    owned.clock.nowMs += 5 * minuteMs
    await send('b')
    owned.clock.nowMs -= hourMs
    await forgetTokens()
    await send('a')
    await send('b')
    owned.clock.nowMs += 9 * minuteMs
    await forgetTokens()
    await send('a')
    await send('b')
    expect([await count('a'), await count('b')]).toEqual([{ N: '1' }, { N: '1' }])
    owned.clock.nowMs += 2 * minuteMs
    await send('a')
    await send('b')
    expect([await count('a'), await count('b')]).toEqual([{ N: '2' }, { N: '2' }])
    owned.clock.nowMs += 5 * minuteMs
    await forgetTokens()
    await send('a')
    owned.clock.nowMs += 6 * minuteMs
    await send('a')
    expect(await count('a')).toEqual({ N: '3' })
  })
})

describe('a stream', () => {
  const stream = async (operation: string, input: object): Promise<Plain> =>
    toPlain(
      (await owned.engine.execute(
        { accountId: '123456789012', region: 'eu-west-1' },
        'DynamoDBStreams_20120810',
        operation,
        input,
      )) ?? {},
    ) as Plain

  async function shownKeys(): Promise<readonly string[]> {
    const { Streams } = (await stream('ListStreams', { TableName: 'streamed' })) as {
      Streams: { StreamArn: string }[]
    }
    const StreamArn = Streams[0]?.StreamArn ?? ''
    const described = (await stream('DescribeStream', { StreamArn })) as {
      StreamDescription: { Shards: { ShardId: string }[] }
    }
    const keys: string[] = []
    for (const { ShardId } of described.StreamDescription.Shards) {
      let { ShardIterator } = (await stream('GetShardIterator', {
        StreamArn,
        ShardId,
        ShardIteratorType: 'TRIM_HORIZON',
      })) as { ShardIterator: string | undefined }
      for (;;) {
        if (ShardIterator === undefined) break
        const page = (await stream('GetRecords', { ShardIterator })) as {
          Records: { dynamodb: { Keys: { pk: { S: string } } } }[]
          NextShardIterator?: string
        }
        keys.push(...page.Records.map(({ dynamodb }) => dynamodb.Keys.pk.S))
        ShardIterator = page.Records.length === 0 ? undefined : page.NextShardIterator
      }
    }
    return keys.toSorted()
  }

  const put = (pk: string): Promise<Plain> =>
    owned.run('PutItem', { TableName: 'streamed', Item: { pk: { S: pk } } })

  beforeEach(() =>
    createTable('streamed', { StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } }),
  )

  test('shows every change, in order, while the clock is set back and restarts come between', async () => {
    await put('a')
    owned.clock.nowMs -= 5 * hourMs
    await put('b')
    await restart(-5 * hourMs)
    await put('c')
    owned.clock.nowMs += 20 * hourMs
    await put('d')
    expect(await shownKeys()).toEqual(['a', 'b', 'c', 'd'])
    owned.clock.nowMs += 5 * hourMs
    expect(await shownKeys()).toEqual(['d'])
  })

  test('keeps its changes for a day although the clock was a year ahead for a moment', async () => {
    await put('a')
    owned.clock.nowMs += hourMs
    await restart(365 * dayMs)
    await put('b')
    await restart(-365 * dayMs)
    await put('c')
    expect(await shownKeys()).toEqual(['a', 'b', 'c'])
    owned.clock.nowMs += 23.5 * hourMs
    expect(await shownKeys()).toEqual(['b', 'c'])
    owned.clock.nowMs += hourMs
    expect(await shownKeys()).toEqual([])
  })
})

test('items expire by what the calendar shows, after it was set back too', async () => {
  await createTable('source')
  await owned.run('UpdateTimeToLive', {
    TableName: 'source',
    TimeToLiveSpecification: { Enabled: true, AttributeName: 'until' },
  })
  await owned.engine.background.idle()
  const put = (pk: string, inMs: number): Promise<Plain> =>
    owned.run('PutItem', {
      TableName: 'source',
      Item: { pk: { S: pk }, until: { N: String(Math.floor((owned.clock.nowMs + inMs) / 1000)) } },
    })
  const left = async (): Promise<readonly unknown[]> => {
    await owned.engine.expireItems()
    return (await owned.scanAll('source')).map(({ pk }) => (pk as { S: string }).S).toSorted()
  }
  await put('before', 10 * minuteMs)
  owned.clock.nowMs -= hourMs
  await put('after', 10 * minuteMs)
  expect(await left()).toEqual(['after', 'before'])
  owned.clock.nowMs += 11 * minuteMs
  expect(await left()).toEqual(['before'])
  owned.clock.nowMs += hourMs
  expect(await left()).toEqual([])
})
