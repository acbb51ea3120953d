import { expect, test } from 'vitest'
import { accountIdOf } from './account-id.ts'

test('a key of twelve digits is its account', () => {
  expect(accountIdOf('123456789012')).toBe('123456789012')
})

// Published pairs of key and account.
test.each([
  ['ASIAY34FZKBOKMUTVV7A', '609629065308'],
  ['ASIAQNZGKIQY56JQ7WML', '029608264753'],
  ['AKIAIOSFODNN7EXAMPLE', '581039954779'],
])("AWS's key %s carries its account %s", (key, account) => {
  expect(accountIdOf(key)).toBe(account)
})

test('any other key has a stable account of its own', () => {
  const keys = [
    'local',
    'Local',
    'dummy',
    'AKIA',
    'AKIA0189018901890189',
    'AKIA7777777777777777',
    'ключ',
    '1'.repeat(13),
  ]
  const accounts = keys.map(accountIdOf)
  expect(new Set(accounts).size).toBe(keys.length)
  for (const account of accounts) expect(account).toMatch(/^\d{12}$/)
  expect(keys.map(accountIdOf)).toEqual(accounts)
})
