import { describe, expect, test } from 'vitest'
import { parseStoreUrl } from './store-url.ts'

const hosts = (url: string, environment: NodeJS.ProcessEnv = {}): unknown =>
  parseStoreUrl(url, environment).hosts.map(({ name, port }) => [name, port])

describe('the URL of a store', () => {
  test('has what libpq would find in it', () => {
    const url = parseStoreUrl('postgresql://me:secret@db.internal:6432/shop?sslmode=require&schema=other', {})
    expect(url).toMatchObject({
      hosts: [{ name: 'db.internal', port: 6432 }],
      user: 'me',
      password: 'secret',
      database: 'shop',
    })
    expect([...url.parameters]).toEqual([
      ['sslmode', 'require'],
      ['schema', 'other'],
    ])
  })

  test.each([
    [
      'postgres://a:5432,b:5433/db',
      [
        ['a', 5432],
        ['b', 5433],
      ],
    ],
    [
      'postgres://a,b,[::1]:7/db',
      [
        ['a', undefined],
        ['b', undefined],
        ['::1', 7],
      ],
    ],
    [
      'postgres://a,b/db?port=6432',
      [
        ['a', 6432],
        ['b', 6432],
      ],
    ],
    [
      'postgres:///db?host=a,b&port=1,2',
      [
        ['a', 1],
        ['b', 2],
      ],
    ],
    ['postgres:///db?host=/run/postgresql', [['/run/postgresql', undefined]]],
    ['postgres://%2Frun%2Fpostgresql/db', [['/run/postgresql', undefined]]],
    ['postgres://me@/db', [[undefined, undefined]]],
    ['postgres://', [[undefined, undefined]]],
  ])('names hosts: %s', (url, expected) => {
    expect(hosts(url)).toEqual(expected)
  })

  test('takes hosts that it does not name from the environment', () => {
    expect(hosts('postgres:///db', { PGHOST: 'a,b', PGPORT: '6432' })).toEqual([
      ['a', 6432],
      ['b', 6432],
    ])
    expect(hosts('postgres://c/db', { PGHOST: 'a,b' })).toEqual([['c', undefined]])
  })

  test.each([
    ['p%40ss%2Fw%25rd%3A', 'p@ss/w%rd:'],
    ['a:b', 'a:b'],
    ['q?x#y&z=1', 'q?x#y&z=1'],
    ['', ''],
    ['%C3%A4 %00', 'ä \0'],
  ])('has a password with special characters: %s', (written, meant) => {
    expect(parseStoreUrl(`postgres://me:${written}@h/db`, {})).toMatchObject({ password: meant, database: 'db' })
  })

  test.each([
    'postgres://me:pa/ss@h/db',
    'postgres://me:p@ss@h/db',
    'postgres://me:50%@h/db',
    'postgres://me:12/ss@h/db',
    'postgres://h:port/db',
    'mysql://h/db',
    'h/db',
    '',
  ])('that is none is refused without showing the password: %s', (url) => {
    expect(() => parseStoreUrl(url, {})).toThrow('percent-encode')
    expect(() => parseStoreUrl(url, {})).not.toThrow(/ss@|pa\//)
  })

  test.each(['postgres://h:0/db', 'postgres://h:65536/db', 'postgres://h/db?port=x'])(
    'needs a port that can be one: %s',
    (url) => {
      expect(() => parseStoreUrl(url, {})).toThrow('a number from 1 to 65535')
    },
  )

  test('must not have a parameter that nobody knows: it may be a misspelt sslmode', () => {
    expect(() => parseStoreUrl('postgres://h/db?sslmod=require', {})).toThrow('unknown parameter, sslmod.')
    expect(() => parseStoreUrl('postgres://h/db?__proto__=1', {})).toThrow('unknown parameter')
  })
})
