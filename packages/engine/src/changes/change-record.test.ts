import { describe, expect, test } from 'vitest'
import { toPlain } from '../wire/raw-json.ts'
import { decodeChangeRecord, encodeChangeRecord, jsonOf } from './change-record.ts'

const keys = { pk: { S: 'a' } }
const image = { pk: { S: 'a' }, text: { S: 'é'.repeat(1_000) } }

describe('a change record', () => {
  test('is read as it was written', () => {
    const record = {
      event: 'MODIFY' as const,
      expired: true,
      replicated: true,
      atMs: 1_800_000_000_123,
      keys: jsonOf(keys),
      oldImage: jsonOf(image),
      newImage: jsonOf(keys),
      keysSizeBytes: 3,
      oldSizeBytes: 2_007,
      newSizeBytes: 3,
    }
    const read = decodeChangeRecord(encodeChangeRecord(record))
    expect(toPlain(read)).toEqual({ ...record, keys, oldImage: image, newImage: keys })
  })

  test('tells an absent image from an empty one', () => {
    const record = {
      event: 'REMOVE' as const,
      expired: false,
      replicated: false,
      atMs: 1,
      keys: jsonOf(keys),
      newImage: undefined,
    }
    const sizes = { keysSizeBytes: 3, oldSizeBytes: 0, newSizeBytes: 0 }
    const read = decodeChangeRecord(encodeChangeRecord({ ...record, ...sizes, oldImage: jsonOf({}) }))
    expect(read.newImage).toBeUndefined()
    expect(read.oldImage?.parse()).toEqual({})
  })
})
