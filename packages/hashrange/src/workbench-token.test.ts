import { expect, test } from 'vitest'
import { isWorkbenchToken, newWorkbenchToken, tokenCheck } from './workbench-token.ts'

test('each start has a secret of its own, which stands in an address as it is', () => {
  const tokens = Array.from({ length: 100 }, newWorkbenchToken)
  expect(new Set(tokens).size).toBe(100)
  for (const token of tokens) {
    expect(isWorkbenchToken(token)).toBe(true)
    expect(encodeURIComponent(token)).toBe(token)
    expect(token.length).toBeGreaterThanOrEqual(32)
  }
})

test('only the whole secret is the secret', () => {
  const token = newWorkbenchToken()
  const isToken = tokenCheck(token)
  expect(isToken(token)).toBe(true)
  for (const other of [undefined, '', '1', token.slice(0, -1), `${token}a`, token.toUpperCase(), ` ${token}`]) {
    expect(isToken(other)).toBe(false)
  }
})

test('a secret that could be guessed, or does not stand in an address, is none', () => {
  for (const text of [
    '',
    'short',
    'a'.repeat(15),
    'a'.repeat(257),
    `${'a'.repeat(20)} `,
    'ä'.repeat(20),
    7,
    null,
  ]) {
    expect(isWorkbenchToken(text)).toBe(false)
  }
})
