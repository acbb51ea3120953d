import { gunzipSync, inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { chooseCoding, compress } from './compression.ts'

describe('chooseCoding', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['GZIP, identity', 'gzip'],
    ['deflate', 'deflate'],
    ['br', undefined],
    ['x-gzip', undefined],
    ['"gzip"', undefined],
    ['gzip br', undefined],
    ['gzip:q=1', undefined],
    ['dog, gzip ,, cat', 'gzip'],
    // Of equals, the first.
    ['gzip, deflate', 'gzip'],
    ['br, identity, deflate, gzip', 'deflate'],
    // Qualities.
    ['gzip;q=0.5, deflate;q=0.8', 'deflate'],
    ['br, gzip;q=0, deflate; q = 0.5 , identity;q=0', 'deflate'],
    ['gzip ;q=0', undefined],
    ['gzip;q=0, gzip;q=1, gzip;q=0', 'gzip'],
    ['br,identity;q=0.5,gzip;q=0.0001', 'gzip'],
    // A star stands for what is not named, and comes after what is.
    ['*', 'gzip'],
    ['*, deflate', 'deflate'],
    ['*, deflate;q=0.5', 'gzip'],
    ['*, gzip;q=0.5', 'deflate'],
    ['gzip;q=0, *', 'deflate'],
    ['*;q=0', undefined],
    ['*;q=0.5,identity', 'gzip'],
    ['br;q=0.8,identity;q=0.5,*;q=0', undefined],
    // Qualities that are none.
    ['gzip;q=31,deflate;q=51', 'gzip'],
    ['deflate;q=0.5, gzip;q=1;q=0.2', 'gzip'],
    ['deflate;q=0.5,gzip;q=0.', 'deflate'],
    ['deflate;q=0.5,gzip;q=0.x', 'gzip'],
    ['deflate;q=0.5,gzip;q=0. x', 'gzip'],
    ['deflate;q=-0.5,gzip;q=0.2', 'gzip'],
    ['gzip;q= 0;q=1', undefined],
    ['gzip;nq=0;q=1', undefined],
  ])('Accept-Encoding %j: %s', (acceptEncoding, expected) => {
    expect(chooseCoding(acceptEncoding, 100_000)).toBe(expected)
  })

  test('an answer below 4 KB is not worth it', () => {
    expect(chooseCoding('gzip', 4095)).toBeUndefined()
    expect(chooseCoding('gzip', 4096)).toBe('gzip')
  })
})

test('deflate is the zlib format, as HTTP has it', async () => {
  const bytes = Buffer.from('a'.repeat(5000))
  expect(inflateSync(await compress('deflate', bytes))).toEqual(bytes)
  expect(gunzipSync(await compress('gzip', bytes))).toEqual(bytes)
})
