import { describe, expect, test } from 'vitest'
import { toPlain } from '../wire/raw-json.ts'
import { decodeChangeRecord, encodeChangeRecord, followedChangeRecord, jsonOf } from './change-record.ts'

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

  describe('of a change that a replica follows', () => {
    const made = { expired: false, replicated: false, atMs: 1, keys: jsonOf(keys) }
    const sizes = { keysSizeBytes: 3, oldSizeBytes: 3, newSizeBytes: 2_007 }
    const inserted = { ...made, ...sizes, event: 'INSERT' as const, oldImage: undefined, newImage: jsonOf(image) }
    const modified = { ...inserted, event: 'MODIFY' as const, oldImage: jsonOf(keys) }

    test('says the same at another time', () => {
      const followed = { replicated: true, atMs: 2 }
      for (const record of [inserted, modified]) {
        const { oldImage, newImage } = record
        expect(followedChangeRecord(encodeChangeRecord(record), oldImage, newImage, 2)).toEqual(
          encodeChangeRecord({ ...record, ...followed }),
        )
      }
    })

    test('is another one if it replaced something else, or became something else', () => {
      const source = encodeChangeRecord(modified)
      const other = jsonOf({ pk: { S: 'b' } })
      expect(followedChangeRecord(source, undefined, jsonOf(image), 2)).toBeUndefined()
      expect(followedChangeRecord(source, other, jsonOf(image), 2)).toBeUndefined()
      expect(followedChangeRecord(source, jsonOf(keys), other, 2)).toBeUndefined()
      expect(followedChangeRecord(encodeChangeRecord(inserted), other, jsonOf(image), 2)).toBeUndefined()
      const withoutOld = encodeChangeRecord({ ...modified, oldImage: undefined })
      expect(followedChangeRecord(withoutOld, undefined, jsonOf(image), 2)).toBeUndefined()
    })
  })
})
