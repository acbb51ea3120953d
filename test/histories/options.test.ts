import { expect, test } from 'vitest'
import { OptionError, readOptions } from './options.ts'

test('the options of a run', () => {
  expect(
    readOptions('--store postgres --servers 2 --transactions 1_000_000 --faults kill,cut --seed 7'.split(' ')),
  ).toMatchObject({
    store: 'postgres',
    servers: 2,
    transactions: 1_000_000,
    faults: ['kill', 'cut'],
    seed: 7,
  })
  expect(readOptions([])).toMatchObject({
    store: 'lmdb',
    servers: 1,
    faults: ['kill', 'stop', 'cut', 'crash', 'failover'],
  })
  expect(readOptions(['--faults', 'none'])).toMatchObject({ faults: [] })
  expect(readOptions(['--help'])).toBeUndefined()
})

test('what cannot be meant is refused', () => {
  for (const line of [
    '--store mysql',
    '--servers 3',
    '--transactions many',
    '--transactions 0',
    '--faults flood',
    '--unknown 1',
  ]) {
    expect(() => readOptions(line.split(' ')), line).toThrow(OptionError)
  }
})
