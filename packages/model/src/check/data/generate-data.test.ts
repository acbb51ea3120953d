import { describe, expect, test } from 'vitest'
import { itemSizeBytes } from '../item-size.ts'
import { seededRandom } from '../random.ts'
import { shop } from '../testing/shop.ts'
import { DataGenerator } from './generate-data.ts'

const bounds = { maxItems: 4000, maxBytes: 4 * 1024 * 1024 }

function generate(seed: number) {
  const generator = new DataGenerator(shop.description, seededRandom(seed), bounds)
  return { generator, items: generator.all() }
}

describe('generated data', () => {
  const { generator, items } = generate(1)
  const ofEntity = (name: string) => items.filter(({ entity }) => entity.name === name)

  test('has as many items under a key as the model declares, and more under the largest', () => {
    const counts = new Map<string, number>()
    for (const { stored } of ofEntity('Order')) {
      const key = stored['pk']?.S ?? ''
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    const [largest, ...others] = [...counts.values()].toSorted((a, b) => b - a)
    expect(largest).toBeGreaterThan(100)
    expect(new Set(others)).toEqual(new Set([10]))
  })

  test('items refer to each other: the lines are those of orders, the orders those of customers', () => {
    const customers = new Set(ofEntity('Customer').map(({ values }) => values.get('customerId')?.S))
    const orders = new Set(ofEntity('Order').map(({ values }) => values.get('orderId')?.S))
    expect(ofEntity('Order').every(({ values }) => customers.has(values.get('customerId')?.S))).toBe(true)
    expect(ofEntity('Line').every(({ values }) => orders.has(values.get('orderId')?.S))).toBe(true)
  })

  test('keys are those of the templates, and a sparse index holds what meets its condition', () => {
    for (const { stored } of ofEntity('Order')) {
      expect(stored['sk']?.S).toBe(`ORDER#${stored['placedAt']?.S}#${stored['orderId']?.S}`)
      expect(stored['openpk']?.S === undefined).toBe(stored['status']?.S !== 'OPEN')
    }
    const open = ofEntity('Order').filter(({ stored }) => stored['openpk'] !== undefined)
    expect(open.length / ofEntity('Order').length).toBeCloseTo(0.25, 1)
  })

  test('texts have their declared size', () => {
    expect(ofEntity('Customer')[3]?.stored['email']?.S).toHaveLength(24)
  })

  test('no two items have one key, and another item is none of them', () => {
    const keyOf = ({ stored }: (typeof items)[number]): string => `${stored['pk']?.S} ${stored['sk']?.S}`
    const keys = new Set(items.map(keyOf))
    expect(keys.size).toBe(items.length)
    for (const entity of shop.description.entities) {
      for (let i = 0; i < 20; i++) expect(keys.has(keyOf(generator.another(entity)))).toBe(false)
    }
  })

  test('is bounded, and the same for the same seed', () => {
    expect(items.length).toBeLessThan(8000)
    expect(generate(1).items.map(({ stored }) => stored)).toEqual(items.map(({ stored }) => stored))
    expect(generate(2).items.map(({ stored }) => stored)).not.toEqual(items.map(({ stored }) => stored))
  })
})

test('the size of an item is counted as DynamoDB does', () => {
  expect(itemSizeBytes({ a: { N: '0' } })).toBe(2)
  expect(itemSizeBytes({ a: { N: '100' } })).toBe(3)
  expect(itemSizeBytes({ a: { N: '1.5' } })).toBe(4)
  expect(itemSizeBytes({ a: { N: '-42' } })).toBe(4)
  expect(itemSizeBytes({ a: { N: '12345678901234567890123456789012345678' } })).toBe(21)
  expect(itemSizeBytes({ naïve: { S: 'ü' }, flag: { BOOL: true } })).toBe(6 + 2 + 5)
  expect(itemSizeBytes({ l: { L: [{ S: 'ab' }, { NULL: true }] } })).toBe(1 + 3 + 2 + 3)
  expect(itemSizeBytes({ m: { M: { key: { S: 'v' } } }, s: { SS: ['a', 'bc'] } })).toBe(1 + 3 + 5 + 1 + 3)
})
