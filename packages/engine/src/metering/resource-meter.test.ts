import { expect, test } from 'vitest'
import { testScope } from '../testing/test-engine.ts'
import { ResourceMeter } from './resource-meter.ts'

test.each([2, 3, 4, 8, 16, 32])(
  'the share of a key is right where one of %d requests is of another, however many there are',
  (beat) => {
    for (const requests of [2_000, 20_000]) {
      const meter = new ResourceMeter({ scope: testScope, tableName: 'Orders', indexName: undefined })
      for (let request = 0; request < requests; request++) {
        const id = request % beat === 0 ? 1 : 2
        meter.consumed('write', 1_000_000, Buffer.alloc(20, id), 1, [{ N: String(id) }])
      }
      const { current } = meter.ranked('writes')
      const amount = current.find(({ values: [id] }) => id !== undefined && 'N' in id && id.N === '1')?.amount ?? 0
      expect(Math.abs(amount / requests - 1 / beat)).toBeLessThan(0.03)
    }
  },
)
