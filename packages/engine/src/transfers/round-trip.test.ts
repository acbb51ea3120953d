import { equalItems, type Item } from '@hashrange/core'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryItem } from './testing/arbitrary-item.ts'
import { TransferEngine } from './testing/transfer-engine.ts'

describe('what is exported and imported again', () => {
  for (const format of ['DYNAMODB_JSON', 'ION']) {
    test(`is the same, item by item, as ${format}`, { timeout: 120_000 }, async () => {
      const db = await TransferEngine.open()
      let round = 0
      // Few tables of many items: it is the items that differ.
      await fc.assert(
        fc.asyncProperty(fc.array(arbitraryItem, { minLength: 1, maxLength: 60 }), async (items) => {
          db.buckets.make('bucket')
          const [from, to] = [`from-${++round}`, `to-${round}`]
          await db.createTable(from)
          for (const item of items) await db.put(from, item)
          await db.export(from, { ExportFormat: format })
          const done = await db.import(to, { InputFormat: format, InputCompressionType: 'GZIP' })
          expect(done).toMatchObject({ ImportStatus: 'COMPLETED' })
          const [before, after] = [await db.items(from), await db.items(to)]
          expect(after.size).toBe(before.size)
          for (const [key, item] of before) expectEqual(after.get(key), item)
        }),
        { numRuns: 12 },
      )
      await db.engine.close()
    })
  }
})

function expectEqual(after: Item | undefined, before: Item): void {
  // Sets have no order, which `equalItems` knows.
  if (after === undefined || !equalItems(after, before)) expect(after).toEqual(before)
}
