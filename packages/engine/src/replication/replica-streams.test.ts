import { afterEach, beforeEach, expect, test } from 'vitest'
import { seededNumbers } from '../backups/testing/owned-engine.ts'
import { decodeChangeRecord } from '../changes/change-record.ts'
import { changeLogRange } from '../layout/key-space.ts'
import { TestRegions } from './testing/regions.ts'

const dublin = 'eu-west-1'
const tokyo = 'ap-northeast-1'

let regions: TestRegions

beforeEach(async () => {
  regions = await TestRegions.open()
  await regions.createGlobalTable('music', [dublin, tokyo])
  await regions.replicate()
})

afterEach(() => regions.close())

/** What a replica's log says of its items, when each record has been compared with what the records before it say. */
async function replayed(region: string): Promise<Record<string, unknown>> {
  const table = regions.owned.engine.catalog.find({ accountId: '123456789012', region }, 'music')
  const items: Record<string, unknown> = {}
  for (const { shardId } of table?.definition.shards ?? []) {
    await regions.store.view((snapshot) =>
      snapshot.range(changeLogRange(table?.id ?? 0, shardId), (_, value) => {
        const { event, keys, oldImage, newImage } = decodeChangeRecord(value)
        const { pk } = keys.parse() as { pk: { S: string } }
        expect(oldImage?.parse()).toEqual(items[pk.S])
        expect(event).toBe(oldImage === undefined ? 'INSERT' : newImage === undefined ? 'REMOVE' : 'MODIFY')
        if (newImage === undefined) delete items[pk.S]
        else {
          expect(newImage.parse()).toMatchObject({ pk })
          items[pk.S] = newImage.parse()
        }
        return true
      }),
    )
  }
  return items
}

test('the stream of each replica shows how it became what it is, whoever wrote what how often', async () => {
  const seed = Number(process.env['HASHRANGE_SEED'])
  const draw = seededNumbers(seed)
  const write = (): Promise<unknown> => {
    const region = draw(2) === 0 ? dublin : tokyo
    const pk = { S: `item-${draw(12)}` }
    const item = { pk, n: { N: String(draw(10)) }, ...(draw(2) === 0 && { team: { S: `t${draw(3)}` } }) }
    switch (draw(4)) {
      case 0:
        return regions.run(region, 'DeleteItem', { TableName: 'music', Key: { pk } })
      case 1:
        return regions.run(region, 'UpdateItem', {
          TableName: 'music',
          Key: { pk },
          UpdateExpression: 'ADD n :n',
          ExpressionAttributeValues: { ':n': { N: '1' } },
        })
      default:
        return regions.put(region, 'music', item)
    }
  }
  for (let round = 0; round < 30; round++) {
    // Together, so that some commits change an item twice.
    await Promise.all(Array.from({ length: 1 + draw(8) }, write))
    regions.advance(draw(3))
    if (draw(3) > 0) await regions.replicate()
  }
  await regions.replicate()
  const items = await regions.items(dublin, 'music')
  expect(await regions.items(tokyo, 'music')).toEqual(items)
  for (const region of [dublin, tokyo]) expect(await replayed(region), `seed ${seed}, ${region}`).toEqual(items)
})
