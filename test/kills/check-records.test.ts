import { expect, test } from 'vitest'
import type { StreamRecord } from '../support/stream-reader.ts'
import { checkRecords } from './check-folder.ts'
import { itemOf, type Item } from './items.ts'
import type { Change } from './ledger.ts'

function change(version: number, replaced: number | undefined, isDelete = false): Change {
  return { key: 'a/1', version, replaced, isDelete }
}

function record(from: number | undefined, to: number | undefined): StreamRecord<Item> {
  const image = (version: number): Item => itemOf({ key: 'a/1', version })
  return {
    eventName: from === undefined ? 'INSERT' : to === undefined ? 'REMOVE' : 'MODIFY',
    dynamodb: {
      Keys: {},
      SequenceNumber: '1',
      ...(from !== undefined && { OldImage: image(from) }),
      ...(to !== undefined && { NewImage: image(to) }),
    },
  }
}

const changes = [change(1, undefined), change(2, 1), change(3, 2, true), change(4, undefined)]
const records = [record(undefined, 1), record(1, 2), record(2, undefined), record(undefined, 4)]

test('records that are the changes are right', () => {
  expect(checkRecords(records, changes)).toEqual([])
})

test('a record that is missing, that comes twice, or out of order is found', () => {
  expect(checkRecords(records.slice(0, 3), changes)).toEqual(['the stream misses INSERT a/1 from nothing to 4'])
  expect(checkRecords([...records, record(undefined, 4)], changes)).toEqual([
    'the stream shows INSERT a/1 from nothing to 4, which has not happened, or not again',
  ])
  expect(checkRecords(records.toReversed(), changes)).toHaveLength(4)
})
