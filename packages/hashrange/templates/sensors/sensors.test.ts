import { testDatabase } from 'hashrange/testing'
import { expect, test } from 'vitest'
import { sensors } from './sensors.model.ts'

const deviceId = '00000000000000000000000001'

test('a device has its latest reading beside it, and readings are read over midnight', async () => {
  const { db, close } = await testDatabase(sensors)
  try {
    await db.Device.create({ deviceId, site: 'lisbon', kind: 'power' })
    for (const [at, value] of [
      ['2026-06-01T23:55:00Z', 20],
      ['2026-06-02T00:05:00Z', 21],
    ] as const) {
      await db.report((t) => [t.Reading.put({ deviceId, at, value }), t.Latest.put({ deviceId, at, value })])
    }
    const { items } = await db.device({ deviceId })
    expect(items.Latest[0]?.value).toBe(21)
    const values: number[] = []
    const period = { from: '2026-06-01', to: '2026-06-02' }
    for await (const { item } of db.readings.iterate({ deviceId, at: period })) values.push(item.value)
    expect(values).toEqual([20, 21])
  } finally {
    await close()
  }
})
