import { describe, expect, test } from 'vitest'
import type { IndexDefinition, TableDefinition } from '../definitions/table-definition.ts'
import { indexEntryKey, itemKey } from '../layout/item-keys.ts'
import { openTestEngine, createTableInput, testScope } from '../testing/test-engine.ts'
import { IndexKeys } from './index-keys.ts'

const global = { byDay: { hash: ['team'], range: ['day:N'] } }
const item = { pk: { S: 'a' }, team: { S: 'red' }, day: { N: '7' }, other: { S: 'x' } }
const moved = { ...item, day: { N: '8' } }

/** The definitions of tables, which differ in their identifiers as those of replicas do. */
async function definitionsOf(...indexes: readonly object[]): Promise<readonly TableDefinition[]> {
  const db = await openTestEngine()
  try {
    const definitions: TableDefinition[] = []
    for (const [position, one] of indexes.entries()) {
      await db.run('CreateTable', createTableInput(`table${position}`, { hash: 'pk', global: one } as never))
      definitions.push(db.engine.requireTable(testScope, `table${position}`).definition)
    }
    return definitions
  } finally {
    await db.close()
  }
}

const indexOf = ({ globalIndexes: [index] }: TableDefinition): IndexDefinition => {
  if (index === undefined) throw new Error('the table has no index')
  return index
}

function keyOf(definition: TableDefinition, one: typeof item): Uint8Array {
  const { tableId, keySchema, attributeTypes } = definition
  const { indexId, keySchema: schema } = indexOf(definition)
  return indexEntryKey(indexId, schema, attributeTypes, one, itemKey(tableId, keySchema, attributeTypes, one))
}

describe('the keys of a change in the indexes of one replica', () => {
  test('are those in another, under its own identifiers', async () => {
    const [source, target] = (await definitionsOf(global, global)) as [TableDefinition, TableDefinition]
    const keys = new IndexKeys(source)
    keys.add(indexOf(source), keyOf(source, item), keyOf(source, moved))
    const { before, after } = keys.in(target, indexOf(target)) ?? {}
    expect(before).toEqual(Buffer.from(keyOf(target, item)))
    expect(after).toEqual(Buffer.from(keyOf(target, moved)))
  })

  test('are known where the item is in the index before or after only, and one key stays one', async () => {
    const [source, target] = (await definitionsOf(global, global)) as [TableDefinition, TableDefinition]
    const key = keyOf(source, item)
    const inTarget = Buffer.from(keyOf(target, item))
    const known = (before: Uint8Array | undefined, after: Uint8Array | undefined): unknown => {
      const keys = new IndexKeys(source)
      keys.add(indexOf(source), before, after)
      return keys.in(target, indexOf(target))
    }
    expect(known(key, undefined)).toMatchObject({ before: inTarget, after: undefined })
    expect(known(undefined, key)).toMatchObject({ before: undefined, after: inTarget })
    const same = known(key, key) as { before: unknown; after: unknown }
    expect(same.before).toBe(same.after)
  })

  test.each([
    ['an index that the other did not have then', { later: global.byDay }],
    ['an index of the same name on another partition key', { byDay: { hash: ['other'], range: ['day:N'] } }],
    ['one on another sort key', { byDay: { hash: ['team'], range: ['other'] } }],
    ['one on an attribute of another type', { byDay: { hash: ['team'], range: ['day'] } }],
    ['one on fewer attributes', { byDay: { hash: ['team'] } }],
  ])('are not known in %s', async (_, index) => {
    const [source, target] = (await definitionsOf(global, index)) as [TableDefinition, TableDefinition]
    const keys = new IndexKeys(source)
    keys.add(indexOf(source), keyOf(source, item), keyOf(source, item))
    expect(keys.in(target, indexOf(target))).toBeUndefined()
  })
})
