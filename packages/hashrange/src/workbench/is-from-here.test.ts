import { expect, test } from 'vitest'
import { isFromHere } from './is-from-here.ts'

const request = { method: 'POST', target: '/', body: Buffer.alloc(0) }

test('loopback addresses are this machine, in all their forms', () => {
  for (const remoteAddress of ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1']) {
    expect(isFromHere({ ...request, remoteAddress })).toBe(true)
  }
})

test('other machines, a container’s network, and whatever a proxy passes on are not', () => {
  for (const remoteAddress of [
    '192.168.0.7',
    '172.17.0.1',
    '::ffff:10.0.0.1',
    'fe80::1',
    '0.0.0.0',
    '',
    undefined,
  ]) {
    expect(isFromHere({ ...request, remoteAddress })).toBe(false)
  }
  expect(isFromHere({ ...request, remoteAddress: '127.0.0.1', forwarded: '127.0.0.1' })).toBe(false)
})
