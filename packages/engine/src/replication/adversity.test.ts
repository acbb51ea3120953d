import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TestRegions } from './testing/regions.ts'

const dublin = 'eu-west-1'
const ohio = 'us-east-2'
const tokyo = 'ap-northeast-1'

let regions: TestRegions

beforeEach(async () => {
  regions = await TestRegions.open()
})

afterEach(() => regions.close())

const item = (pk: string, n = '1'): object => ({ pk: { S: pk }, n: { N: n } })
const update = (change: object): object => ({ TableName: 'music', ...change })
const lose = (region: string): Promise<void> => regions.owned.engine.regions.isolate(region)
const heal = async (): Promise<void> => {
  await regions.owned.engine.regions.heal()
  await regions.replicate()
}

const moods = {
  IndexName: 'moods',
  KeySchema: [{ AttributeName: 'mood', KeyType: 'HASH' }],
  Projection: { ProjectionType: 'ALL' },
}

async function statusIn(region: string): Promise<string | undefined> {
  const { Table } = await regions.run(region, 'DescribeTable', { TableName: 'music' })
  return (Table as { readonly TableStatus: string }).TableStatus
}

async function becomesActive(region: string): Promise<void> {
  await expect
    .poll(
      async () => {
        await regions.owned.engine.background.idle()
        return statusIn(region)
      },
      { timeout: 10_000 },
    )
    .toBe('ACTIVE')
}

describe('A region that is lost', () => {
  test('while its replica is being filled has everything when it is back', async () => {
    await regions.createGlobalTable('music', [dublin])
    for (let n = 0; n < 40; n++) await regions.put(dublin, 'music', item(`before${n}`))
    const asked = regions.run(dublin, 'UpdateTable', update({ ReplicaUpdates: [{ Create: { RegionName: ohio } }] }))
    await lose(ohio)
    await asked
    await regions.put(dublin, 'music', item('during'))
    await regions.run(dublin, 'DeleteItem', update({ Key: { pk: { S: 'before0' } } }))
    await heal()
    await becomesActive(dublin)
    await regions.replicate()
    const here = await regions.items(dublin, 'music')
    expect(Object.keys(here)).toHaveLength(40)
    expect(await regions.items(ohio, 'music')).toEqual(here)
  })

  test('while an index is made and another is deleted has the same indexes when it is back', async () => {
    await regions.createGlobalTable('music', [dublin, ohio])
    await regions.put(dublin, 'music', { ...item('before'), mood: { S: 'calm' } })
    await regions.replicate()
    await lose(ohio)
    await regions.put(ohio, 'music', { ...item('there'), mood: { S: 'calm' } })
    for (const change of [{ Create: moods }, { Delete: { IndexName: 'teams' } }]) {
      const AttributeDefinitions = [{ AttributeName: 'mood', AttributeType: 'S' }]
      await regions.run(
        dublin,
        'UpdateTable',
        update({ AttributeDefinitions, GlobalSecondaryIndexUpdates: [change] }),
      )
      await becomesActive(dublin)
    }
    await regions.put(dublin, 'music', { ...item('here'), mood: { S: 'calm' } })
    await regions.run(ohio, 'DeleteItem', update({ Key: { pk: { S: 'before' } } }))
    await heal()
    for (const region of [dublin, ohio]) {
      await becomesActive(region)
      expect(Object.keys(await regions.items(region, 'music', 'moods')).toSorted(), region).toEqual([
        'here',
        'there',
      ])
      expect(await regions.refusal(region, 'Scan', update({ IndexName: 'teams' }))).toMatch('teams')
    }
  })

  test('while a third is added gives its writes to that one too', async () => {
    await regions.createGlobalTable('music', [dublin, ohio])
    await regions.put(dublin, 'music', item('shared'))
    await regions.replicate()
    await lose(ohio)
    regions.advance(5)
    await regions.put(ohio, 'music', item('alone'))
    await regions.run(ohio, 'DeleteItem', update({ Key: { pk: { S: 'shared' } } }))
    const asked = await regions
      .run(dublin, 'UpdateTable', update({ ReplicaUpdates: [{ Create: { RegionName: tokyo } }] }))
      .then(
        () => 'accepted',
        (error: Error) => error.message,
      )
    await heal()
    if (asked !== 'accepted') await regions.addReplica(dublin, 'music', tokyo)
    await becomesActive(dublin)
    await regions.replicate()
    for (const region of [dublin, ohio, tokyo]) {
      expect(Object.keys(await regions.items(region, 'music'))).toEqual(['alone'])
    }
  })

  test('does not tear a transaction apart for good', async () => {
    await regions.createGlobalTable('music', [dublin, ohio])
    await lose(ohio)
    const writes = ['a', 'b'].map((pk) => ({ Put: { TableName: 'music', Item: item(pk) } }))
    await regions.run(dublin, 'TransactWriteItems', { TransactItems: writes })
    regions.advance(5)
    await regions.put(ohio, 'music', item('a', '2'))
    await heal()
    const expected = { a: item('a', '2'), b: item('b') }
    expect(await regions.items(dublin, 'music')).toEqual(expected)
    expect(await regions.items(ohio, 'music')).toEqual(expected)
  })
})

describe('A replica that leaves while it lags', () => {
  test('first sends what it has, and the others go on', async () => {
    await regions.createGlobalTable('music', [dublin, ohio, tokyo])
    // Ohio was filled from Dublin, which must stay for a day.
    regions.advance(25 * 3_600_000)
    await regions.owned.engine.regions.lag(tokyo, 60_000)
    await regions.put(tokyo, 'music', item('last words'))
    await regions.put(dublin, 'music', item('meanwhile'))
    await regions.run(dublin, 'UpdateTable', update({ ReplicaUpdates: [{ Delete: { RegionName: tokyo } }] }))
    regions.advance(120_000)
    await heal()
    await becomesActive(dublin)
    await regions.replicate()
    const here = await regions.items(dublin, 'music')
    expect(Object.keys(here).toSorted()).toEqual(['last words', 'meanwhile'])
    expect(await regions.items(ohio, 'music')).toEqual(here)
  })

  test('does not take its last writes with it, though nobody waits for the lag', async () => {
    await regions.createGlobalTable('music', [dublin, ohio, tokyo])
    await regions.owned.engine.regions.lag(tokyo, 60_000)
    await regions.put(tokyo, 'music', item('last words'))
    await regions.run(dublin, 'UpdateTable', update({ ReplicaUpdates: [{ Delete: { RegionName: tokyo } }] }))
    await becomesActive(dublin)
    await heal()
    await regions.replicate()
    for (const region of [dublin, ohio]) {
      expect(await regions.items(region, 'music')).toEqual({ 'last words': item('last words') })
    }
  })
})

describe('A replica that leaves while it is written to', () => {
  test('leaves no write behind that it has accepted', async () => {
    await regions.createGlobalTable('music', [dublin, ohio])
    const accepted: string[] = []
    let isThere = true
    const write = async (writer: number): Promise<void> => {
      for (let n = 0; isThere; n++) {
        const pk = `${writer}-${n}`
        try {
          await regions.put(ohio, 'music', item(pk))
          accepted.push(pk)
        } catch {
          isThere = false
        }
      }
    }
    const writers = Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)))
    await regions.run(dublin, 'UpdateTable', update({ ReplicaUpdates: [{ Delete: { RegionName: ohio } }] }))
    await writers
    await becomesActive(dublin)
    expect(Object.keys(await regions.items(dublin, 'music')).toSorted()).toEqual(accepted.toSorted())
  })
})

describe('A clock that is set back', () => {
  test('does not make a later write lose, here or there', async () => {
    await regions.createGlobalTable('music', [dublin, ohio])
    await regions.put(dublin, 'music', item('a', '1'))
    await regions.replicate()
    regions.advance(-3_600_000)
    await regions.put(ohio, 'music', item('a', '2'))
    await regions.replicate()
    expect(await regions.get(dublin, 'music', 'a')).toEqual(item('a', '2'))
    await regions.run(dublin, 'DeleteItem', update({ Key: { pk: { S: 'a' } } }))
    await regions.replicate()
    expect(await regions.items(ohio, 'music')).toEqual({})
    regions.advance(-3_600_000)
    await regions.put(ohio, 'music', item('a', '3'))
    await regions.replicate()
    expect(await regions.get(dublin, 'music', 'a')).toEqual(item('a', '3'))
  })
})

test('no replica is created in a region whose name is none, whoever isolates it', async () => {
  await regions.createGlobalTable('music', [dublin])
  const long = `a-${'b'.repeat(9_000)}-1`
  for (const RegionName of [
    '__proto__',
    'constructor',
    '../eu-west-1',
    'eu-west-1%41',
    'EU-WEST-1',
    '',
    ' eu-west-1',
    long,
  ]) {
    const asked = update({ ReplicaUpdates: [{ Create: { RegionName } }] })
    expect(await regions.refusal(dublin, 'UpdateTable', asked)).toMatch(/^ValidationException/)
    await lose(RegionName)
  }
  await regions.put(dublin, 'music', item('a'))
  await heal()
  expect(await regions.items(dublin, 'music')).toEqual({ a: item('a') })
})
