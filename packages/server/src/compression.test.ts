import { expect, test } from 'vitest'
import { isWorthCompressing } from './compression.ts'

test.each([
  [undefined, false],
  ['identity', false],
  ['gzip', true],
  ['deflate, gzip;q=1.0, *;q=0.5', true],
  ['br, gzip;q=0', false],
  ['gzip; q=0.000', false],
  ['gzip;q=0.5', true],
  ['x-gzipped', false],
])('Accept-Encoding %j: %s', (acceptEncoding, expected) => {
  expect(isWorthCompressing(acceptEncoding, 100_000)).toBe(expected)
  expect(isWorthCompressing(acceptEncoding, 500)).toBe(false)
})
