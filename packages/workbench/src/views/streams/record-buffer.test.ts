import { describe, expect, test } from 'vitest'
import { filterRecords, entitiesOf } from './filter-records.ts'
import { toJsonLines } from './json-lines.ts'
import { emptyBuffer, Rate, withRecords } from './record-buffer.ts'
import type { TailedRecord } from './stream-tail.ts'
import { kindOf, type StreamRecord } from './stream-types.ts'

function record(id: number, change: Partial<StreamRecord> = {}, SizeBytes = 100): TailedRecord {
  return {
    shardId: 'shard',
    record: {
      eventID: String(id),
      eventName: 'MODIFY',
      dynamodb: {
        ApproximateCreationDateTime: id,
        Keys: { PK: { S: `CUSTOMER#${String(id)}` } },
        NewImage: { EntityType: { S: id % 2 === 0 ? 'Customer' : 'Order' }, city: { S: 'Wien' } },
        SequenceNumber: String(id),
        SizeBytes,
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
      ...change,
    },
  }
}

const ids = (records: readonly TailedRecord[]): readonly string[] => records.map((one) => one.record.eventID)

describe('the records that are kept', () => {
  test('are the newest, by number; those that had to go are counted', () => {
    const first = withRecords(emptyBuffer, [record(1), record(2), record(3)], { most: 4 })
    const second = withRecords(first, [record(4), record(5)], { most: 4 })
    expect(ids(second.records)).toEqual(['5', '4', '3', '2'])
    expect(second).toMatchObject({ received: 5, dropped: 1 })
  })

  test('and by size, but never none', () => {
    const state = withRecords(emptyBuffer, [record(1), record(2, {}, 400_000), record(3, {}, 400_000)], {
      mostSizeBytes: 500_000,
    })
    expect(ids(state.records)).toEqual(['3'])
    expect(state.dropped).toBe(2)
  })

  test('the rate is that of the last ten seconds', () => {
    const rate = new Rate()
    rate.add(0, 100)
    rate.add(5_000, 50)
    expect(rate.perSecond(5_000)).toBe(15)
    expect(rate.perSecond(12_000)).toBe(5)
    expect(rate.perSecond(60_000)).toBe(0)
  })
})

describe('filters', () => {
  const expiry = record(6, {
    eventName: 'REMOVE',
    userIdentity: { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' },
  })
  const removal = record(7, { eventName: 'REMOVE' })
  const records = [removal, expiry, record(2), record(1)]
  const all = { kinds: [], key: '', text: '', entity: '' } as const

  test('a deletion by the service is told from others', () => {
    expect(kindOf(expiry.record)).toBe('EXPIRE')
    expect(kindOf(removal.record)).toBe('REMOVE')
    expect(ids(filterRecords(records, { ...all, kinds: ['EXPIRE'] }))).toEqual(['6'])
  })

  test('by key, by any text of names and values, by entity, and by all of it together', () => {
    expect(ids(filterRecords(records, { ...all, key: 'customer#2' }))).toEqual(['2'])
    expect(ids(filterRecords(records, { ...all, text: 'wien CITY' }))).toEqual(['7', '6', '2', '1'])
    expect(ids(filterRecords(records, { ...all, text: 'linz' }))).toEqual([])
    expect(ids(filterRecords(records, { ...all, entity: 'Order' }))).toEqual(['7', '1'])
    expect(ids(filterRecords(records, { kinds: ['MODIFY'], key: '1', text: 'wien', entity: 'Order' }))).toEqual([
      '1',
    ])
    expect(entitiesOf(records)).toEqual(['Customer', 'Order'])
  })

  test('what is shown is saved as one line of JSON each, the oldest first', () => {
    const lines = toJsonLines(records).trimEnd().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as StreamRecord).eventID)).toEqual(['1', '2', '6', '7'])
  })
})
