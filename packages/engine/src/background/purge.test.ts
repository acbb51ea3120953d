import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createTableInput, openTestEngine, type TestEngine } from '../testing/test-engine.ts'

/** How many keys there are in the store, but for the names and versions of tables, leases, measurements and the next
 *  identifier. */
const keysLeft = async ({ countKeys }: TestEngine): Promise<number> =>
  (await countKeys({ from: Buffer.of(0x04), to: Buffer.of(0x06) })) +
  (await countKeys({ from: Buffer.of(0x09), to: Buffer.of(0x40) }))

const table = {
  hash: 'pk',
  range: 'sk:N',
  global: { global: { hash: ['g'] } },
  local: { local: { range: 'l' } },
}

async function fill({ run }: TestEngine, TableName: string): Promise<void> {
  await Promise.all(
    Array.from({ length: 1_200 }, (_, n) => {
      const Item = { pk: { S: `${n % 50}` }, sk: { N: `${n}` }, g: { S: 'g' }, l: { S: 'l' } }
      return run('PutItem', { TableName, Item })
    }),
  )
}

describe('a table that is dropped', () => {
  test('is gone at once, and its items soon', async () => {
    const db = await openTestEngine()
    await db.run('CreateTable', createTableInput('dropped', table))
    await fill(db, 'dropped')
    expect(await keysLeft(db)).toBe(1_200 * 3 + 50 + 3)
    await db.run('DeleteTable', { TableName: 'dropped' })
    expect((await db.refusal('Scan', { TableName: 'dropped' })).code).toBe('ResourceNotFoundException')
    await db.engine.background.idle()
    expect(await keysLeft(db)).toBe(0)
    expect(db.backgroundErrors).toEqual([])
    await db.close()
  })

  test('leaves its name to another that has none of its items', async () => {
    const db = await openTestEngine()
    await db.run('CreateTable', createTableInput('dropped', table))
    await fill(db, 'dropped')
    await db.run('DeleteTable', { TableName: 'dropped' })
    await db.run('CreateTable', createTableInput('dropped', table))
    for (const index of [{}, { IndexName: 'global' }, { IndexName: 'local' }]) {
      expect(await db.run('Scan', { TableName: 'dropped', ...index })).toMatchObject({ Count: 0 })
    }
    expect(await db.run('DescribeTable', { TableName: 'dropped' })).toMatchObject({ Table: { ItemCount: 0 } })
    const Item = { pk: { S: '1' }, sk: { N: '1' }, g: { S: 'g' }, l: { S: 'l' } }
    await db.run('PutItem', { TableName: 'dropped', Item })
    await db.engine.background.idle()
    expect(await db.run('Scan', { TableName: 'dropped', IndexName: 'local' })).toMatchObject({ Items: [Item] })
    expect(await keysLeft(db)).toBe(7)
    await db.close()
  })

  test('takes no write that was on its way', async () => {
    const db = await openTestEngine()
    // The first DeleteTable of a process is loaded when it is asked for, which would let later writes pass it.
    await db.run('CreateTable', createTableInput('first', table))
    await db.run('DeleteTable', { TableName: 'first' })
    await db.run('CreateTable', createTableInput('dropped', table))
    const writes = Array.from({ length: 50 }, (_, n) =>
      db.run('PutItem', { TableName: 'dropped', Item: { pk: { S: 'a' }, sk: { N: `${n}` } } }),
    )
    const dropping = db.run('DeleteTable', { TableName: 'dropped' })
    const late = Array.from({ length: 50 }, (_, n) =>
      db.run('PutItem', { TableName: 'dropped', Item: { pk: { S: 'b' }, sk: { N: `${n}` } } }),
    )
    const settled = await Promise.allSettled([...writes, ...late])
    await dropping
    await db.engine.background.idle()
    // Which of them come first is the store's to say.
    const refused = settled.filter((outcome) => outcome.status === 'rejected')
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'ResourceNotFoundException' })
    expect(
      (await db.refusal('DeleteItem', { TableName: 'dropped', Key: { pk: { S: 'b' }, sk: { N: '1' } } })).code,
    ).toBe('ResourceNotFoundException')
    expect(await keysLeft(db)).toBe(0)
    await db.close()
  })

  test('is removed by the next process if this one stops', async () => {
    const path = mkdtempSync(join(tmpdir(), 'hashrange-test-'))
    try {
      const first = await openTestEngine(path)
      await first.run('CreateTable', createTableInput('dropped', table))
      await fill(first, 'dropped')
      await first.run('DeleteTable', { TableName: 'dropped' })
      // Not proved first: it would all be gone by then.
      await first.engine.close()
      const second = await openTestEngine(path)
      await second.engine.background.idle()
      expect(await keysLeft(second)).toBe(0)
      await second.close()
    } finally {
      rmSync(path, { recursive: true })
    }
  })
})

test('an index that is dropped leaves its table alone', async () => {
  const db = await openTestEngine()
  await db.run('CreateTable', createTableInput('kept', table))
  await fill(db, 'kept')
  await db.run('UpdateTable', {
    TableName: 'kept',
    GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'global' } }],
  })
  await db.engine.background.idle()
  expect(await keysLeft(db)).toBe(1_200 * 2 + 50 + 2)
  expect(await db.run('Scan', { TableName: 'kept', Select: 'COUNT' })).toMatchObject({ Count: 1_200 })
  await db.close()
})
