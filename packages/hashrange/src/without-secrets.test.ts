import { expect, test } from 'vitest'
import { withoutSecrets } from './without-secrets.ts'

test.each([
  ['postgres://me:secret@host:5432/shop?sslmode=require', 'postgres://host:5432/shop'],
  ['postgres://me:secret@one,two:5433/shop?password=secret', 'postgres://one,two:5433/shop'],
  ['postgres://me:secret@[::1]:5432/shop', 'postgres://[::1]:5432/shop'],
  ['postgresql:///shop?host=/run&password=secret', 'postgresql:///shop'],
  ['mysql://me:secret@host/shop', 'mysql://host/shop'],
  ['me:secret@host/shop', 'host/shop'],
  ['http://127.0.0.1:8000', 'http://127.0.0.1:8000'],
  ['lmbd:.hashrange', 'lmbd:.hashrange'],
])('%s is shown without secrets', (text, shown) => {
  expect(withoutSecrets(text)).toBe(shown)
})

test.each([
  'postgres://me:secr@et@host/shop',
  'postgres://me:1/secret@host/shop',
  'postgres://me:1#secret@host/shop',
  'postgres://me:1?secret@host/shop',
  'postgres://me:secret',
  'postgres://host/shop?password=a@secret',
  'postgres://me:sec ret@host/shop@secret',
])('%s is unclear, and is not shown', (text) => {
  expect(withoutSecrets(text)).toBe('postgres://…')
})
