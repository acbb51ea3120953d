import { expect, test } from 'vitest'
import type { SourceRecord } from '../sources/shard-source.ts'
import { countDone } from './batch-failures.ts'

const records = [1, 2, 3].map((number): SourceRecord => ({
  sequence: BigInt(number),
  sequenceNumber: String(number),
  atMs: 0,
  orderKey: '',
  json: Buffer.alloc(0),
}))
const failing = (...identifiers: unknown[]): object => ({
  batchItemFailures: identifiers.map((itemIdentifier) => ({ itemIdentifier })),
})

test.each<[string, unknown, number]>([
  ['no response', undefined, 3],
  ['null', null, 3],
  ['an empty object', {}, 3],
  ['an empty list', { batchItemFailures: [] }, 3],
  ['no list', { batchItemFailures: null }, 3],
  ['the second', failing('2'), 1],
  ['several: the first of them counts', failing('3', '2'), 1],
  ['the first', failing('1'), 0],
  ['one that is not in the batch', failing('9'), 0],
  ['an empty identifier', failing(''), 0],
  ['null as an identifier', failing(null), 0],
  ['another form', { batchItemFailures: 'x' }, 0],
  ['text', 'done', 0],
])('%s', (_name, response, done) => expect(countDone(records, response)).toBe(done))
