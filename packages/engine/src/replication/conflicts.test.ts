import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TestRegions } from './testing/regions.ts'

const dublin = 'eu-west-1'
const ohio = 'us-east-2'

let regions: TestRegions

beforeEach(async () => {
  regions = await TestRegions.open()
  await regions.createGlobalTable('music', [dublin, ohio])
})

afterEach(() => regions.close())

describe('a conflict', () => {
  test('is told with the key, both writes, and what was lost', async () => {
    await regions.owned.engine.regions.isolate(ohio)
    await regions.put(dublin, 'music', { pk: { S: 'a' }, from: { S: dublin } })
    regions.advance(3)
    await regions.put(ohio, 'music', { pk: { S: 'a' }, from: { S: ohio } })
    await regions.owned.engine.regions.heal()
    await regions.replicate()
    expect(await regions.owned.engine.conflicts()).toEqual([
      {
        accountId: '123456789012',
        tableName: 'music',
        key: { pk: { S: 'a' } },
        foundIn: expect.anything() as unknown,
        foundAt: new Date('2026-01-02T00:00:00.003Z'),
        winner: { region: ohio, at: new Date('2026-01-02T00:00:00.003Z'), microsecond: 0, isDeletion: false },
        loser: {
          region: dublin,
          at: new Date('2026-01-02T00:00:00.000Z'),
          microsecond: 0,
          isDeletion: false,
          item: { pk: { S: 'a' }, from: { S: dublin } },
        },
      },
    ])
  })

  test('is a deletion against a write, too', async () => {
    await regions.put(dublin, 'music', { pk: { S: 'a' } })
    await regions.replicate()
    regions.advance(3)
    await regions.run(dublin, 'DeleteItem', { TableName: 'music', Key: { pk: { S: 'a' } } })
    regions.advance(3)
    await regions.put(ohio, 'music', { pk: { S: 'a' }, n: { N: '1' } })
    await regions.replicate()
    expect(await regions.owned.engine.conflicts()).toMatchObject([
      { key: { pk: { S: 'a' } }, winner: { region: ohio }, loser: { region: dublin, isDeletion: true } },
    ])
  })

  test('is not a write that has seen the other, nor one that says the same', async () => {
    await regions.put(dublin, 'music', { pk: { S: 'a' }, n: { N: '1' } })
    await regions.replicate()
    await regions.put(ohio, 'music', { pk: { S: 'a' }, n: { N: '2' } })
    await regions.put(ohio, 'music', { pk: { S: 'a' }, n: { N: '3' } })
    await regions.replicate()
    await regions.put(dublin, 'music', { pk: { S: 'a' }, n: { N: '4' } })
    await regions.put(dublin, 'music', { pk: { S: 'b' } })
    await regions.put(ohio, 'music', { pk: { S: 'b' } })
    await regions.replicate()
    expect(await regions.owned.engine.conflicts()).toEqual([])
  })
})

test('a region that is down refuses requests, and catches up when it is back', async () => {
  await regions.owned.engine.regions.down(ohio)
  expect(await regions.refusal(ohio, 'ListTables', {})).toBe(
    'ServiceUnavailable: The service is currently unavailable or busy.',
  )
  await regions.put(dublin, 'music', { pk: { S: 'a' } })
  await regions.replicate()
  expect(await regions.owned.engine.replicationReport()).toMatchObject({
    regions: { [ohio]: { isDown: true } },
    links: [
      { from: dublin, to: ohio, status: 'cut', pending: 1 },
      { from: ohio, to: dublin, pending: 0 },
    ],
  })
  await regions.owned.engine.regions.up(ohio)
  await regions.replicate()
  expect(await regions.get(ohio, 'music', 'a')).toEqual({ pk: { S: 'a' } })
})

test('a slow region gets what is old enough', async () => {
  await regions.owned.engine.regions.lag(ohio, 3_000)
  await regions.put(dublin, 'music', { pk: { S: 'a' } })
  await regions.replicate()
  expect(await regions.get(ohio, 'music', 'a')).toBeUndefined()
  regions.advance(3_001)
  await regions.replicate()
  expect(await regions.get(ohio, 'music', 'a')).toBeDefined()
})
