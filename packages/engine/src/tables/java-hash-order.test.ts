import { expect, test } from 'vitest'
import { capacityFor, javaHashOrder } from './java-hash-order.ts'

test('names stand in the order of their buckets', () => {
  expect(javaHashOrder(['pk', 'sk', 'a'])).toEqual(['a', 'sk', 'pk'])
})

test('names of one bucket stand in the order in which they came', () => {
  expect(javaHashOrder(['pk', 'sk', 'a', 'b', 'c'], capacityFor(5))).toEqual(['sk', 'a', 'b', 'pk', 'c'])
  expect(javaHashOrder(['pk', 'sk'], capacityFor(2))).toEqual(['sk', 'pk'])
})

test('a name that comes twice stands once', () => {
  expect(javaHashOrder(['a', 'a'])).toEqual(['a'])
})
