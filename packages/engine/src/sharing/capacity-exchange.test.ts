import { ServiceError } from '@hashrange/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { capacityReportRange } from '../layout/metering-keys.ts'
import { heatReport } from '../reports/heat-report.ts'
import { testScope } from '../testing/test-engine.ts'
import { TestServers, type TestServer } from '../testing/test-servers.ts'

const startMs = Date.UTC(2026, 0, 2, 3, 4, 0)
let nowMs: number
let servers: TestServers
let all: TestServer[]

async function open(count: number, throttling: 'enforce' | 'measure' = 'enforce'): Promise<void> {
  for (let opened = 0; opened < count; opened++) {
    all.push(await servers.open({ throttling, clock: { now: () => nowMs }, worksInBackground: false }))
  }
}

beforeEach(async () => {
  nowMs = startMs
  all = []
  servers = await TestServers.begin()
})
afterEach(() => servers.close())

const server = (position: number): TestServer => {
  const found = all[position]
  if (found === undefined) throw new Error('there is no such server')
  return found
}

/** Each hears what the others told, one after the other, as it happens. */
const exchange = async (): Promise<void> => {
  for (const { engine } of all) await engine.exchangeCapacity()
}

const create = (more: object): Promise<unknown> =>
  server(0).run('CreateTable', {
    TableName: 'orders',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    ...more,
  })
const provisioned = (units: number): object => ({
  ProvisionedThroughput: { ReadCapacityUnits: units, WriteCapacityUnits: units },
})

/** How many of `count` writes of one unit, to different keys, a server lets in. */
async function put(to: TestServer, count: number, key = (n: number): string => `k${n}`): Promise<number> {
  const results = await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      try {
        await to.run('PutItem', { TableName: 'orders', Item: { pk: { S: key(n) } } })
        return true
      } catch (error) {
        if (error instanceof ServiceError && /Throughput|Throttling/.test(error.code)) return false
        throw error
      }
    }),
  )
  return results.filter(Boolean).length
}

/** So many seconds, in each of which each server is asked so often, a tenth of it at a time; servers exchange once a second,
 *  each at another moment. Tells how many were let in, in each second. */
async function load(seconds: number, asked: readonly number[]): Promise<readonly number[]> {
  const letIn: number[] = []
  for (let second = 0; second < seconds; second++) {
    let sum = 0
    for (let tenth = 0; tenth < 10; tenth++) {
      nowMs += 100
      for (const [position, count] of asked.entries()) {
        sum += await put(server(position), Math.round(count / 10), (n) => `${second} ${tenth} ${position} ${n}`)
        if (tenth === position * 3) await server(position).engine.exchangeCapacity()
      }
    }
    letIn.push(sum)
  }
  return letIn
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)

describe('servers of one store let in together what a table takes', () => {
  test('where all are asked for too much, in all and in each second', async () => {
    await open(3)
    await create(provisioned(60))
    await exchange()
    const letIn = await load(20, [60, 60, 60])
    // A new table has its first second besides.
    expect(sumOf(letIn) / (21 * 60)).toBeGreaterThan(0.9)
    expect(sumOf(letIn) / (21 * 60)).toBeLessThan(1.1)
  })

  test('where one is asked for nearly all of it, and where that moves to another', async () => {
    await open(3)
    await create(provisioned(60))
    await exchange()
    const before = await load(8, [100, 10, 0])
    expect(sumOf(before.slice(3)) / 5).toBeGreaterThan(52)
    expect(sumOf(before.slice(3)) / 5).toBeLessThan(66)
    const after = await load(8, [0, 10, 100])
    expect(sumOf(after) / 8).toBeGreaterThan(50)
    expect(sumOf(after) / 8).toBeLessThan(72)
  })

  test('and each takes at once what the others do not need', async () => {
    await open(3)
    await create(provisioned(300))
    await exchange()
    await load(4, [30, 30, 0])
    expect(sumOf(await load(4, [30, 30, 60]))).toBe(4 * 120)
  })

  test('what was saved up is saved for all together', async () => {
    await open(2)
    await create(provisioned(10))
    await load(3, [1, 1])
    // Ten minutes save five minutes' worth.
    nowMs += 600_000
    await exchange()
    await exchange()
    const letIn = sumOf(await load(6, [400, 400]))
    expect(letIn).toBeGreaterThan(2_700)
    expect(letIn).toBeLessThan(3_500)
  })

  test('a range of keys too: 1,000 writes a second, whoever takes them', async () => {
    await open(2)
    await create({ BillingMode: 'PAY_PER_REQUEST' })
    await exchange()
    const hot = async (seconds: number): Promise<readonly number[]> => {
      const letIn: number[] = []
      for (let second = 0; second < seconds; second++) {
        let sum = 0
        for (let tenth = 0; tenth < 10; tenth++) {
          nowMs += 100
          for (const one of all) sum += await put(one, 100, () => 'CELEBRITY#1')
        }
        await exchange()
        letIn.push(sum)
      }
      return letIn
    }
    const letIn = await hot(8)
    expect(sumOf(letIn) / 9_000).toBeGreaterThan(0.85)
    expect(sumOf(letIn) / 9_000).toBeLessThan(1.1)
  })
})

describe('a server', () => {
  test('that is alone has all of it, and writes next to nothing', async () => {
    await open(1)
    await create(provisioned(60))
    expect(sumOf((await load(6, [60])).slice(1))).toBe(5 * 60)
    expect(await rows()).toBeLessThanOrEqual(1)
  })

  test('that is gone is waited for a few seconds, and not at all if it said so', async () => {
    await open(3)
    await create(provisioned(60))
    await exchange()
    await load(6, [60, 60, 60])
    await server(2).engine.close()
    all.pop()
    // The last of the others' words; a killed server leaves its own standing.
    const letIn = await load(8, [60, 60])
    expect(sumOf(letIn.slice(2)) / 6).toBeGreaterThan(54)
    expect(sumOf(letIn.slice(2)) / 6).toBeLessThan(66)
    await server(1).engine.close()
    all.pop()
    expect(sumOf((await load(8, [60])).slice(3)) / 5).toBeGreaterThan(56)
  })

  test('passes over what it cannot read', async () => {
    await open(2)
    await create(provisioned(60))
    const { from } = capacityReportRange()
    const values = [
      '',
      'rubbish',
      '{"beat":1}',
      '{"beat":2,"read":{},"write":null}',
      '{"beat":1e999,"__proto__":[]}',
    ]
    const { store } = server(0).engine
    for (const [position, value] of values.entries()) {
      const key = Buffer.concat([from, Buffer.from(`000000010${position}00000000000000`, 'hex')])
      await store.transact([], () => ({
        writes: [{ kind: 'put', key, value: Buffer.from(value) }],
        answer: undefined,
      }))
    }
    await exchange()
    await exchange()
    await exchange()
    const letIn = await load(14, [60, 60])
    expect(sumOf(letIn) / (15 * 60)).toBeGreaterThan(0.9)
    expect(sumOf(letIn) / (15 * 60)).toBeLessThan(1.1)
  })
})

describe('whoever asks any server sees what all do', () => {
  test('units, throttles, partitions and keys', async () => {
    await open(3)
    await create(provisioned(60))
    await exchange()
    await load(10, [10, 20, 100])
    await exchange()
    const reports = await Promise.all(all.map(({ engine }) => heatReport(engine, testScope)))
    for (const { tables } of reports) {
      const [place] = tables[0]?.places ?? []
      expect(place?.writeUnitsPerSecond).toBeGreaterThan(45)
      expect(place?.writeUnitsPerSecond).toBeLessThan(75)
      expect(place?.writeThrottles).toBeGreaterThan(300)
      const partition = place?.partitions[0]
      expect(partition?.writeUnitsPerSecond).toBeGreaterThan(40)
      expect(sumOf(partition?.writeHistory ?? [])).toBeGreaterThan(300)
    }
  })

  test('also of a table that it is not asked for itself', async () => {
    await open(2, 'measure')
    await create({ BillingMode: 'PAY_PER_REQUEST' })
    await server(1).engine.refresh()
    await exchange()
    for (let second = 0; second < 8; second++) {
      nowMs += 1_000
      await put(server(0), 50, () => 'CELEBRITY#1')
      await exchange()
    }
    const { tables } = await heatReport(server(1).engine, testScope)
    const [place] = tables[0]?.places ?? []
    expect(place?.writeUnitsPerSecond).toBeGreaterThan(30)
    expect(place?.hottestWrites[0]?.text).toBe('CELEBRITY#1')
    expect(place?.hottestWrites[0]?.amount).toBe(400)
  })
})

const rows = async (): Promise<number> => {
  let count = 0
  await server(0).engine.store.view((snapshot) => snapshot.range(capacityReportRange(), () => ++count > 0))
  return count
}
