import { StorageError } from '@hashrange/engine'
import { expect, test } from 'vitest'
import { logBackgroundErrors } from './log-background-errors.ts'

function told(...errors: readonly unknown[]): readonly (readonly unknown[])[] {
  const lines: unknown[][] = []
  const tell = logBackgroundErrors({ error: (...words) => lines.push(words) })
  for (const error of errors) tell(error)
  return lines
}

test('a disk that cannot be written is told of once, in a sentence', () => {
  const error = new StorageError('io', 'The data file cannot be written.')
  expect(told(error, error, error)).toEqual([['hashrange: The data file cannot be written.']])
})

test('a database that is away is left to the requests to tell of', () => {
  expect(told(new StorageError('unavailable', 'The database cannot be reached.'))).toEqual([])
})

test('anything else is told in full, each time', () => {
  const error = new Error('surprise')
  expect(told(error, error)).toEqual([
    ['hashrange: a background task failed:', error],
    ['hashrange: a background task failed:', error],
  ])
})
