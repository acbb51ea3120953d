import { describe, expect, test } from 'vitest'
import { receivers } from './receivers.ts'

function isPermitted(url: string, webhooks?: readonly string[]): boolean {
  return receivers({ webhooks }).permit(url).kind === 'permitted'
}

describe('without a list', () => {
  test.each([
    'http://localhost:9000/x',
    'https://127.0.0.1/',
    'http://[::1]:9000/',
    'http://2130706433/',
    'http://a.localhost/',
  ])('%s is on this machine', (url) => expect(isPermitted(url)).toBe(true))

  test.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.5/',
    'http://0.0.0.0:8000/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'https://hooks.example.com/',
    'http://localhost.evil.example/',
    'http://localhost@evil.example/',
    'http://user:secret@localhost/',
    'ftp://localhost/',
    'http://',
    'no address',
  ])('%s is not called', (url) => expect(isPermitted(url)).toBe(false))

  test('a name below localhost must resolve to this machine', () => {
    const permission = receivers({}).permit('http://a.localhost/')
    if (permission.kind === 'refused') throw new Error(permission.reason)
    expect(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'].every(permission.mayConnectTo)).toBe(true)
    expect(['10.0.0.5', '169.254.169.254', '0.0.0.0', '::', 'fe80::1%eth0'].some(permission.mayConnectTo)).toBe(
      false,
    )
  })
})

describe('a list', () => {
  const webhooks = ['https://hooks.example.com/alarms', 'http://receiver:9000']

  test.each([
    'https://hooks.example.com/alarms',
    'https://hooks.example.com/alarms?key=1',
    'https://hooks.example.com/alarms/a/b',
    'https://HOOKS.example.com:443/alarms/',
    'http://receiver:9000/anything',
  ])('%s is below it', (url) => expect(isPermitted(url, webhooks)).toBe(true))

  test.each([
    'https://hooks.example.com/alarms-of-others',
    'https://hooks.example.com/alarms/../admin',
    'https://hooks.example.com/alarms/%2e%2e/admin',
    'https://hooks.example.com\\\\@evil.example/alarms',
    'http://hooks.example.com/alarms',
    'https://hooks.example.com.evil.example/alarms',
    'http://receiver:9001/',
    'http://localhost:9000/',
  ])('%s is not', (url) => expect(isPermitted(url, webhooks)).toBe(false))

  test('can be of everything but what clouds tell machines, or of nothing', () => {
    expect(isPermitted('https://anywhere.example/x', ['*'])).toBe(true)
    expect(isPermitted('http://169.254.169.254/', ['*'])).toBe(false)
    expect(isPermitted('http://[fe80::1]/', ['*'])).toBe(false)
    expect(isPermitted('http://[::ffff:169.254.169.254]/', ['*'])).toBe(false)
    expect(isPermitted('http://169.254.169.254/', ['*', 'http://169.254.169.254'])).toBe(true)
    expect(isPermitted('http://localhost/', ['none'])).toBe(false)
  })
})
