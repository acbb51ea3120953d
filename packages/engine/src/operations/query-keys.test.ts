import { encodeBase64 } from '@hashrange/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTableInput, openTestEngine, type TestEngine } from '../testing/test-engine.ts'
import { queryOf, valuesIn } from './testing/query-of.ts'

let db: TestEngine

beforeEach(async () => {
  db = await openTestEngine()
})

afterEach(() => db.close())

const put = (TableName: string, Item: object): Promise<unknown> => db.run('PutItem', { TableName, Item })

describe('the order of a sort key', () => {
  test('of strings is that of their UTF-8 bytes', async () => {
    await db.run('CreateTable', createTableInput('strings', { hash: 'pk', range: 'sk' }))
    const keys = [
      '\0',
      '\0\0',
      '\x01',
      'A',
      'Z',
      'a',
      'aa',
      'a\u0301',
      'b',
      '\x7f',
      'é',
      '\ud7ff',
      '\uffff',
      '😀',
      '😁',
    ]
    for (const sk of keys.toReversed()) await put('strings', { pk: { S: 'a' }, sk: { S: sk } })
    const query = queryOf('strings', 'pk = :a', { ':a': { S: 'a' } })
    expect(valuesIn(await db.run('Query', query))).toEqual(keys)
    expect(valuesIn(await db.run('Query', { ...query, ScanIndexForward: false }))).toEqual(keys.toReversed())
    const greater = queryOf('strings', 'pk = :a AND sk > :s', { ':a': { S: 'a' }, ':s': { S: 'é' } })
    expect(valuesIn(await db.run('Query', greater))).toEqual(['\ud7ff', '\uffff', '😀', '😁'])
  })

  test('of numbers is numeric, and equal numbers are one key', async () => {
    await db.run('CreateTable', createTableInput('numbers', { hash: 'pk', range: 'sk:N' }))
    const keys = [
      '-9.9999999999999999999999999999999999999e125',
      '-1e10',
      '-100',
      '-99.5',
      '-99',
      '-1',
      '-0.1',
      '-1e-130',
      '0',
      '1e-130',
      '0.01',
      '0.1',
      '1',
      '9',
      '10',
      '99',
      '100',
      '1e10',
      '9.9999999999999999999999999999999999999e125',
    ]
    for (const [index, sk] of keys.toReversed().entries()) {
      await put('numbers', { pk: { S: 'a' }, sk: { N: sk }, at: { N: `${keys.length - 1 - index}` } })
    }
    const query = queryOf('numbers', 'pk = :a', { ':a': { S: 'a' } })
    expect(valuesIn(await db.run('Query', query), 'at')).toEqual(keys.map((_, index) => `${index}`))
    for (const spelling of ['100', '1e2', '0100.00', '+100', '1000E-1']) {
      await put('numbers', { pk: { S: 'a' }, sk: { N: spelling }, at: { S: spelling } })
      const Key = { pk: { S: 'a' }, sk: { N: '100' } }
      expect(await db.run('GetItem', { TableName: 'numbers', Key })).toMatchObject({
        Item: { sk: { N: '100' }, at: { S: spelling } },
      })
    }
    expect(await db.run('Query', { ...query, Select: 'COUNT' })).toMatchObject({ Count: keys.length })
    const between = queryOf('numbers', 'pk = :a AND sk BETWEEN :l AND :u', {
      ':a': { S: 'a' },
      ':l': { N: '-0.10' },
      ':u': { N: '1E0' },
    })
    expect(valuesIn(await db.run('Query', between))).toHaveLength(7)
  })

  test('of binaries is that of their bytes', async () => {
    await db.run('CreateTable', createTableInput('binaries', { hash: 'pk:B', range: 'sk:B' }))
    const keys = [[0], [0, 0], [0, 255], [1], [127], [128], [255], [255, 0], [255, 255]].map((bytes) =>
      encodeBase64(Uint8Array.from(bytes)),
    )
    for (const sk of keys.toReversed()) await put('binaries', { pk: { B: 'AA==' }, sk: { B: sk } })
    const a = { ':a': { B: 'AA==' } }
    expect(valuesIn(await db.run('Query', queryOf('binaries', 'pk = :a', a)))).toEqual(keys)
    const prefix = { ...a, ':p': { B: encodeBase64(Uint8Array.of(255)) } }
    const begins = queryOf('binaries', 'pk = :a AND begins_with(sk, :p)', prefix)
    expect(valuesIn(await db.run('Query', begins))).toEqual(keys.slice(-3))
  })
})

describe('key conditions', () => {
  beforeEach(async () => {
    await db.run('CreateTable', createTableInput('ranges', { hash: 'pk', range: 'sk' }))
    for (const sk of ['a', 'ab', 'abc', 'b', 'c']) await put('ranges', { pk: { S: 'p' }, sk: { S: sk } })
  })

  test.each([
    ['sk = :x', { ':x': 'ab' }, ['ab']],
    ['sk < :x', { ':x': 'ab' }, ['a']],
    ['sk <= :x', { ':x': 'ab' }, ['a', 'ab']],
    ['sk > :x', { ':x': 'ab' }, ['abc', 'b', 'c']],
    ['sk >= :x', { ':x': 'ab' }, ['ab', 'abc', 'b', 'c']],
    [':x >= sk', { ':x': 'ab' }, ['a', 'ab']],
    ['begins_with(sk, :x)', { ':x': 'ab' }, ['ab', 'abc']],
    ['sk BETWEEN :x AND :y', { ':x': 'aa', ':y': 'b' }, ['ab', 'abc', 'b']],
    ['sk BETWEEN :x AND :x', { ':x': 'b' }, ['b']],
    ['sk > :x', { ':x': 'z' }, []],
  ])('%s', async (condition, values, expected) => {
    const strings = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { S: value }]))
    const query = queryOf('ranges', `pk = :p AND ${condition}`, { ':p': { S: 'p' }, ...strings })
    expect(valuesIn(await db.run('Query', query))).toEqual(expected)
    const reversed = { ...query, ScanIndexForward: false }
    expect(valuesIn(await db.run('Query', reversed))).toEqual(expected.toReversed())
  })

  test.each([1_025, 2_000, 100_000])('refuse a sort key of %i bytes, which no item can have', async (length) => {
    for (const operator of ['=', '<', '<=', '>', '>=']) {
      const values = { ':p': { S: 'p' }, ':s': { S: 'x'.repeat(length) } }
      const error = await db.refusal('Query', queryOf('ranges', `pk = :p AND sk ${operator} :s`, values))
      expect(error.message).toBe(
        'One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes',
      )
    }
  })

  test('refuse a partition key that no item can have', async () => {
    const error = await db.refusal('Query', queryOf('ranges', 'pk = :p', { ':p': { S: 'x'.repeat(2_049) } }))
    expect(error.message).toBe(
      'One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes',
    )
  })
})
