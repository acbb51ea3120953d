import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { trimChangeLogs } from '../background/trim-change-log.ts'
import { keptCount } from './testing/kept-count.ts'
import { indexesOf, OwnedEngine, seededNumbers, sorted, type Plain } from './testing/owned-engine.ts'

let owned: OwnedEngine

beforeEach(async () => {
  owned = await OwnedEngine.open()
  await owned.createTable('music')
})

afterEach(async () => {
  await owned.engine.close()
  expect(owned.errors).toEqual([])
})

const recovery = (specification: object): Promise<Plain> =>
  owned.ask('UpdateContinuousBackups', { TableName: 'music', PointInTimeRecoverySpecification: specification })

const enable = (): Promise<Plain> => recovery({ PointInTimeRecoveryEnabled: true })

const restore = (more: object): Promise<Plain> =>
  owned.ask('RestoreTableToPointInTime', { SourceTableName: 'music', TargetTableName: 'again', ...more })

const atSecond = (): number => owned.clock.nowMs / 1000

/** A table under random writes, with all it was at the end of each second. */
class RandomWrites {
  readonly history: (readonly [second: number, items: ReadonlyMap<string, Plain>])[] = []
  readonly #items = new Map<string, Plain>()
  readonly #number: (below: number) => number

  constructor(seed: number) {
    this.#number = seededNumbers(seed)
  }

  async second(writes: number): Promise<void> {
    for (let count = 0; count < writes; count++) {
      await this.#write()
      // Some changes fall into the same millisecond.
      if (this.#number(3) > 0) owned.clock.nowMs += 1
    }
    const second = Math.floor(owned.clock.nowMs / 1000)
    this.history.push([second, new Map(this.#items)])
    owned.clock.nowMs = (second + 1) * 1000
  }

  async #write(): Promise<void> {
    const number = this.#number
    const Key = { pk: { S: `p${number(12)}` }, sk: { N: String(number(12)) } }
    const name = JSON.stringify(Key)
    const attributes = {
      ...(number(2) === 0 && { rank: { N: String(number(20)) } }),
      ...(number(2) === 0 && { team: { S: `t${number(4)}` } }),
      note: { S: 'x'.repeat(number(200)) },
    }
    const kind = number(10)
    if (kind < 5) {
      const Item = { ...Key, ...attributes }
      await owned.run('PutItem', { TableName: 'music', Item })
      this.#items.set(name, Item)
    } else if (kind < 7) {
      const note = { S: `updated ${number(1_000)}` }
      await owned.run('UpdateItem', {
        TableName: 'music',
        Key,
        UpdateExpression: 'SET note = :note REMOVE team',
        ExpressionAttributeValues: { ':note': note },
      })
      const { team: _, ...rest }: Plain = this.#items.get(name) ?? Key
      this.#items.set(name, { ...rest, note })
    } else {
      await owned.run('DeleteItem', { TableName: 'music', Key })
      this.#items.delete(name)
    }
  }
}

async function expectRestored(TableName: string, items: Iterable<Plain>): Promise<void> {
  const expected = [...items]
  expect(sorted(await owned.scanAll(TableName))).toEqual(sorted(expected))
  const table = await owned.ask('DescribeTable', { TableName })
  expect(table).toMatchObject({ TableStatus: 'ACTIVE', ItemCount: expected.length })
  for (const [IndexName, entries] of Object.entries(indexesOf(expected))) {
    expect(sorted(await owned.scanAll(TableName, IndexName))).toEqual(entries)
  }
}

describe('RestoreTableToPointInTime', () => {
  test('restores what the table was at any second', async () => {
    const isLong = process.env['HASHRANGE_ROUNDS'] === 'all'
    const points = Number(process.env['HASHRANGE_RESTORE_POINTS'] ?? (isLong ? 12 : 3))
    const seed = Number(process.env['HASHRANGE_SEED'])
    const writes = new RandomWrites(seed)
    await writes.second(200)
    await enable()
    const choose = seededNumbers(seed + 1)
    for (let second = 0; second < (isLong ? 40 : 28); second++) {
      await writes.second(choose(isLong ? 60 : 20))
      // A stream that comes and goes has the log begin new shards.
      if (second === 10 || second === 25) {
        const StreamSpecification =
          second === 10 ? { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } : { StreamEnabled: false }
        await owned.run('UpdateTable', { TableName: 'music', StreamSpecification })
      }
    }
    const restorable = writes.history.slice(1)
    for (let point = 0; point < points; point++) {
      const [second, items] = restorable[choose(restorable.length)] ?? [0, new Map<string, Plain>()]
      const TargetTableName = `again-${point}`
      // Writes during the restore are not part of it.
      await restore({ TargetTableName, RestoreDateTime: second + 0.999 })
      const writing = writes.second(20)
      await owned.engine.background.idle()
      await writing
      await expectRestored(TargetTableName, items.values())
      await owned.run('DeleteTable', { TableName: TargetTableName })
    }
  }, 600_000)

  test('restores the table as it is, and says so while it lasts', async () => {
    await enable()
    const writes = new RandomWrites(7)
    await writes.second(300)
    const described = await restore({ UseLatestRestorableTime: true })
    expect(described).toMatchObject({
      TableStatus: 'CREATING',
      RestoreSummary: {
        RestoreDateTime: atSecond(),
        RestoreInProgress: true,
        SourceTableArn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/music',
      },
    })
    await owned.engine.background.idle()
    await expectRestored('again', writes.history.at(-1)?.[1].values() ?? [])
    expect(await owned.ask('DescribeTable', { TableName: 'again' })).not.toHaveProperty('RestoreSummary')
    expect(await owned.ask('DescribeContinuousBackups', { TableName: 'again' })).toMatchObject({
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'DISABLED' },
    })
  })

  test('brings back a table that has been emptied, and keeps nothing aside afterwards', async () => {
    await enable()
    const puts = Array.from({ length: 1_500 }, (_, at) =>
      owned.run('PutItem', { TableName: 'music', Item: { pk: { S: `p${at}` }, sk: { N: '1' } } }),
    )
    await Promise.all(puts)
    const before = await owned.scanAll('music')
    const second = atSecond()
    owned.clock.nowMs += 5_000
    await Promise.all(before.map(({ pk, sk }) => owned.run('DeleteItem', { TableName: 'music', Key: { pk, sk } })))
    await restore({ RestoreDateTime: second })
    await owned.engine.background.idle()
    await expectRestored('again', before)
    expect(await keptCount(owned.engine.store)).toBe(0)
  })

  test('undoes what time to live has removed', async () => {
    await enable()
    await owned.run('UpdateTimeToLive', {
      TableName: 'music',
      TimeToLiveSpecification: { Enabled: true, AttributeName: 'expiry' },
    })
    const Item = { pk: { S: 'a' }, sk: { N: '1' }, expiry: { N: String(atSecond() + 1) } }
    await owned.run('PutItem', { TableName: 'music', Item })
    const second = atSecond()
    owned.clock.nowMs += 10_000
    await owned.engine.expireItems()
    await restore({ RestoreDateTime: second })
    await owned.engine.background.idle()
    await expectRestored('again', [Item])
  })

  test.each([
    [
      {},
      'ValidationException',
      'Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime must be specified, but not both',
    ],
    [
      { RestoreDateTime: 1, UseLatestRestorableTime: true },
      'ValidationException',
      'Invalid Request: Both RestoreDateTime and UseLatestRestorableTime cannot be set for point-in-time restore request. Please specify either RestoreDateTime time or UseLatestRestorableTime',
    ],
    [{ SourceTableName: 'none', UseLatestRestorableTime: true }, 'TableNotFoundException', 'Table not found: none'],
    [
      { RestoreDateTime: Date.UTC(2026, 0, 1) / 1000 },
      'InvalidRestoreTimeException',
      "RestoreDateTime '2026-01-01T00:00:00Z' must be within EarliestRestorableDateTime '2026-01-02T00:00:00Z' and LatestRestorableDateTime '2026-01-02T00:00:00Z'",
    ],
    [
      { TargetTableName: 'music', UseLatestRestorableTime: true },
      'TableAlreadyExistsException',
      'Table already exists: music',
    ],
  ])('refuses %j', async (more, code, message) => {
    await enable()
    await expect(restore(more)).rejects.toMatchObject({ code, message })
  })

  test('refuses a table without recovery before it looks at the rest', async () => {
    await expect(restore({ TargetTableName: 'music', RestoreDateTime: 1 })).rejects.toMatchObject({
      code: 'PointInTimeRecoveryUnavailableException',
      message: "Point in time recovery is not enabled for table 'music'",
    })
  })
})

describe('a restore that is interrupted', () => {
  let path: string

  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'hashrange-test-'))
    await reopen()
    await owned.createTable('music')
    await enable()
  })

  afterEach(() => rm(path, { recursive: true }))

  const reopen = async (): Promise<void> => {
    const { clock } = owned
    await owned.engine.close()
    owned = await OwnedEngine.open({ path }, clock)
  }

  const changeMuch = async (note: string): Promise<void> => {
    const writes = Array.from({ length: 1_000 }, (_, at) => ({
      pk: { S: `p${at % 40}` },
      sk: { N: String(at) },
      rank: { N: String(at) },
      note: { S: note },
    }))
    await Promise.all(writes.map((Item) => owned.run('PutItem', { TableName: 'music', Item })))
    owned.clock.nowMs += 1_000
  }

  test('begins anew, and restores the same', async () => {
    await changeMuch('first')
    const before = await owned.scanAll('music')
    const second = atSecond() - 1
    await changeMuch('second')
    await restore({ RestoreDateTime: second })
    while ((await owned.ask('DescribeTable', { TableName: 'again' }))['ItemCount'] === 0) {
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    await changeMuch('third')
    await restore({ TargetTableName: 'early', RestoreDateTime: second })
    await reopen()
    await owned.engine.background.idle()
    await expectRestored('again', before)
    await expectRestored('early', before)
  })

  test.each([
    ['turned off', () => recovery({ PointInTimeRecoveryEnabled: false })],
    ['deleted with its table', () => owned.run('DeleteTable', { TableName: 'music' })],
  ])('has the past that it was asked for, though that has been %s since', async (_what, forget) => {
    await changeMuch('first')
    const before = await owned.scanAll('music')
    await changeMuch('second')
    await restore({ RestoreDateTime: atSecond() - 2 })
    await forget()
    await reopen()
    await trimChangeLogs(owned.engine, { aborted: false })
    await owned.engine.background.idle()
    await expectRestored('again', before)
    await trimChangeLogs(owned.engine, { aborted: false })
    await owned.engine.background.idle()
    expect([...owned.engine.catalog.dropped()]).toEqual([])
    expect(await keptCount(owned.engine.store)).toBe(0)
  })
})

describe('UpdateContinuousBackups', () => {
  const description = async (): Promise<unknown> =>
    (await owned.ask('DescribeContinuousBackups', { TableName: 'music' }))['PointInTimeRecoveryDescription']

  test('shows the window that moves on with the time', async () => {
    expect(await owned.ask('DescribeContinuousBackups', { TableName: 'music' })).toEqual({
      ContinuousBackupsStatus: 'ENABLED',
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'DISABLED' },
    })
    owned.clock.nowMs += 500
    const enabledAt = Math.ceil(atSecond())
    expect(await enable()).toEqual({
      ContinuousBackupsStatus: 'ENABLED',
      PointInTimeRecoveryDescription: {
        EarliestRestorableDateTime: enabledAt,
        LatestRestorableDateTime: enabledAt,
        PointInTimeRecoveryStatus: 'ENABLED',
        RecoveryPeriodInDays: 35,
      },
    })
    owned.clock.nowMs += 10 * 86_400_000
    await enable()
    expect(await description()).toMatchObject({
      EarliestRestorableDateTime: enabledAt,
      LatestRestorableDateTime: Math.floor(atSecond()),
    })
    await recovery({ PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 2 })
    const twoDaysAgo = Math.ceil(atSecond() - 2 * 86_400)
    expect(await description()).toMatchObject({ EarliestRestorableDateTime: twoDaysAgo, RecoveryPeriodInDays: 2 })
    await recovery({ PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 9 })
    expect(await description()).toMatchObject({ EarliestRestorableDateTime: twoDaysAgo, RecoveryPeriodInDays: 9 })
    await recovery({ PointInTimeRecoveryEnabled: false })
    expect(await description()).toEqual({ PointInTimeRecoveryStatus: 'DISABLED' })
  })

  test('refuses a period for what is turned off, and a table that is not there', async () => {
    await expect(recovery({ PointInTimeRecoveryEnabled: false, RecoveryPeriodInDays: 7 })).rejects.toThrow(
      'Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.',
    )
    await expect(owned.run('DescribeContinuousBackups', { TableName: 'none' })).rejects.toMatchObject({
      code: 'TableNotFoundException',
      message: 'Table not found: none',
    })
  })
})
