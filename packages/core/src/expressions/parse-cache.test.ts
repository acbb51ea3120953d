import { expect, test } from 'vitest'
import { ParseCache } from './parse-cache.ts'

test('a text is parsed once', () => {
  let parses = 0
  const cache = new ParseCache('FilterExpression', (text) => {
    parses++
    return { text }
  })
  expect(cache.get('a')).toBe(cache.get('a'))
  expect(parses).toBe(1)
})

test('texts that are refused are not remembered', () => {
  const cache = new ParseCache('FilterExpression', (): object => {
    throw new Error('refused')
  })
  expect(() => cache.get('a')).toThrow('refused')
  expect(cache.size).toBe(0)
})

test('what is used stays, however many others come by, and the number remembered is bounded', () => {
  let parses = 0
  const cache = new ParseCache('FilterExpression', (text) => {
    if (text === 'used') parses++
    return { text }
  })
  for (let index = 0; index < 2000; index++) {
    cache.get(`${index}${'x'.repeat(1000)}`)
    if (index % 50 === 0) cache.get('used')
  }
  expect(parses).toBe(1)
  expect(cache.size).toBeLessThan(600)
})

test('a text of more than 4,096 bytes is refused with its size, but for an update', () => {
  const sizeOf = (kind: 'FilterExpression' | 'UpdateExpression'): (() => object) => {
    const cache = new ParseCache(kind, (text) => ({ text }))
    return () => cache.get('x'.repeat(4097))
  }
  expect(sizeOf('FilterExpression')).toThrow(
    'Invalid FilterExpression: Expression size has exceeded the maximum allowed size; expression size: 4097',
  )
  expect(sizeOf('UpdateExpression')).toThrow(
    /^Invalid UpdateExpression: Expression size has exceeded the maximum allowed size;$/,
  )
})
