import { hostname } from 'node:os'
import { describe, expect, test } from 'vitest'
import { hostKindOf } from './host-name.ts'

const onLoopback = { boundHost: '127.0.0.1' }
const onAll = { boundHost: '0.0.0.0' }

describe('a server for this machine alone', () => {
  test.each([
    'localhost',
    'LOCALHOST:8000',
    'localhost.:8000',
    '127.0.0.1:8000',
    '127.8.8.8',
    '[::1]:8000',
    'shop.localhost:1',
    `${hostname()}:8000`,
  ])('owns %s', (host) => {
    expect(hostKindOf(host, onLoopback)).toBe('own')
  })

  test.each([
    'hashrange:8000',
    'x',
    'host.docker.internal:8000',
    'db.default.svc.cluster.local',
    'db.default.svc',
    'nas.lan',
    'my.test',
    'nas.home.arpa',
    '192.168.65.254:8000',
    '[fe80::1]:8000',
  ])('may be called %s by programs', (host) => {
    expect(hostKindOf(host, onLoopback)).toBe('private')
  })

  test.each([
    'evil.example',
    'evil.example:8000',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example.',
    'localhost@evil.example',
    'localhost evil.example',
    'localhost:8000:evil.example',
    'evil.example/localhost',
    'internal.evil.example',
    '',
    ':8000',
    '[::1]evil.example',
    'xn--lcalhost-54a.com',
    'dynamodb.us-east-1.amazonaws.com',
  ])('does not answer to %j', (host) => {
    expect(hostKindOf(host, onLoopback)).toBe('foreign')
  })
})

test('a server for other machines owns its addresses', () => {
  for (const host of ['192.168.0.7:8000', '[2001:db8::7]:8000', '127.0.0.1', 'localhost']) {
    expect(hostKindOf(host, onAll)).toBe('own')
  }
  expect(hostKindOf('evil.example', onAll)).toBe('foreign')
  expect(hostKindOf('db.corp.example:8000', { boundHost: 'DB.corp.example' })).toBe('own')
})

test('the operator names others, whole domains, or all', () => {
  const named = (...allowedHosts: string[]) => ({ boundHost: '0.0.0.0', allowedHosts })
  expect(hostKindOf('DB.example.com:443', named('other', 'db.Example.com'))).toBe('own')
  expect(hostKindOf('a.db.example.com', named('db.example.com'))).toBe('foreign')
  expect(hostKindOf('a.b.example.com', named('.example.com'))).toBe('own')
  expect(hostKindOf('evilexample.com', named('.example.com'))).toBe('foreign')
  expect(hostKindOf('anything.example', named('*'))).toBe('own')
  expect(hostKindOf('not a host', named('*'))).toBe('foreign')
})
