import { StorageError } from '@hashrange/engine'
import { expect, test } from 'vitest'
import { explainFailure } from './explain-failure.ts'

const settings = { host: '127.0.0.1', port: 8000, path: '.hashrange', shared: false }

test.each([
  [
    'EADDRINUSE',
    'Port 8000 of 127.0.0.1 is taken. Stop what listens there, or choose another: hashrange start --port 8001',
  ],
  [
    'EACCES',
    'This user may not listen on port 8000 of 127.0.0.1. Choose a port above 1023: hashrange start --port 8000',
  ],
  ['ENOTFOUND', '127.0.0.1 is no address of this machine. Choose one that is: hashrange start --host 127.0.0.1'],
])('%s is explained', (code, sentence) => {
  expect(explainFailure(Object.assign(new Error('listen'), { code }), settings)).toBe(sentence)
})

test('a storage error speaks for itself', () => {
  expect(explainFailure(new StorageError('locked', 'It is in use.'), settings)).toBe('It is in use.')
})

test('anything else is not explained away', () => {
  expect(explainFailure(new Error('surprise'), settings)).toBeUndefined()
  expect(explainFailure(undefined, settings)).toBeUndefined()
})
