import { StorageError } from '@hashrange/engine'
import { expect, test } from 'vitest'
import { explainFailure } from './explain-failure.ts'

const settings = { host: '127.0.0.1', port: 8000, path: '.hashrange', shared: false }

test.each([
  [
    'EADDRINUSE',
    'Port 8000 on 127.0.0.1 is already in use. Stop the program that uses it, or choose another port: hashrange start --port 8001',
  ],
  [
    'EACCES',
    'You do not have permission to listen on port 8000 of 127.0.0.1. Choose a port above 1023: hashrange start --port 8000',
  ],
  [
    'ENOTFOUND',
    '127.0.0.1 is not an address of this machine. Choose one that is: hashrange start --host 127.0.0.1',
  ],
])('%s is explained', (code, sentence) => {
  expect(explainFailure(Object.assign(new Error('listen'), { code }), settings, {})).toBe(sentence)
})

test('a port of DAX that is taken is not taken for the other one', () => {
  const error = Object.assign(new Error('listen'), { code: 'EADDRINUSE', port: 8111 })
  expect(explainFailure(error, { ...settings, daxPort: 8111 }, {})).toMatch(/^Port 8111 .* --dax-port 8112$/)
})

test('the command is named as npm runs it', () => {
  const error = Object.assign(new Error('listen'), { code: 'EADDRINUSE' })
  expect(explainFailure(error, settings, { npm_lifecycle_event: 'start' })).toMatch(/: npm start -- --port 8001$/)
  expect(explainFailure(error, settings, { npm_lifecycle_event: 'npx' })).toMatch(
    /: npx hashrange start --port 8001$/,
  )
})

test('a storage error speaks for itself', () => {
  expect(explainFailure(new StorageError('locked', 'It is in use.'), settings)).toBe('It is in use.')
})

test('a file where the folder of data should be is explained', () => {
  const cause = Object.assign(new Error('mkdir'), { code: 'EEXIST' })
  const error = new StorageError('not-writable', 'The data folder cannot be created.', cause)
  expect(explainFailure(error, { ...settings, path: 'notes.txt' })).toBe(
    'notes.txt is a file, or is inside one. Choose a folder with --path.',
  )
})

test('anything else is not explained away', () => {
  expect(explainFailure(new Error('surprise'), settings)).toBeUndefined()
  expect(explainFailure(undefined, settings)).toBeUndefined()
})

test.each([
  ['ECONNREFUSED', 'No PostgreSQL server answers at postgres://db:5432/shop. Start it, or correct --store.'],
  ['ENOTFOUND', 'There is no such host: postgres://db:5432/shop. Correct --store.'],
  [
    '28P01',
    'PostgreSQL at postgres://db:5432/shop rejected the user name or the password (why). Correct them in --store.',
  ],
  ['3D000', 'There is no such database: postgres://db:5432/shop. Create it, or correct --store.'],
  ['XX000', 'The database cannot be reached (why).'],
])('a database that fails with %s is explained, without its password', (code, sentence) => {
  const settings = {
    host: '127.0.0.1',
    port: 8000,
    path: undefined,
    shared: false,
    store: 'postgres://me:secret@db:5432/shop',
  }
  const cause = Object.assign(new Error('why'), { code })
  const error = new StorageError('unavailable', 'The database cannot be reached (why).', cause)
  expect(explainFailure(error, settings)).toBe(sentence)
})
