import { expect, expectTypeOf, test } from 'vitest'
import { entity } from '../model/entity.ts'
import { model } from '../model/model.ts'
import { s } from '../schema/s.ts'
import { onChange } from './on-change.ts'
import { readStream } from './read-stream.ts'
import type { AnyStreamRecord } from './stream-record.ts'

const Order = entity('Order', {
  orderId: s.string(),
  total: s.int(),
  placedAt: s.date('day').optional(),
  note: s.binary().optional(),
})
  .key({ pk: 'ORDER#{orderId}', sk: 'ORDER' })
  .unique('orderId')
const Customer = entity('Customer', { customerId: s.string(), name: s.string() }).key({
  pk: 'CUSTOMER#{customerId}',
  sk: 'CUSTOMER',
})
const shop = model({ name: 'shop', entities: { Order, Customer }, patterns: () => ({}) })

const eventSourceARN = 'arn:aws:dynamodb:eu-central-1:123456789012:table/shop/stream/2026-11-16T10:00:00.000'
const Keys = { pk: { S: 'ORDER#1' }, sk: { S: 'ORDER' } }

function image(total: number, more: object = {}): object {
  return { ...Keys, entity: { S: 'Order' }, orderId: { S: '1' }, total: { N: String(total) }, ...more }
}

function record(eventName: string, images: object, more: object = {}): AnyStreamRecord {
  const dynamodb = {
    ApproximateCreationDateTime: 1_780_000_000,
    Keys,
    SequenceNumber: '100000000000000000007',
    StreamViewType: 'NEW_AND_OLD_IMAGES',
    ...images,
  }
  return { eventID: 'e7', eventName, eventSourceARN, dynamodb, ...more }
}

test('a record that Lambda passes on is a change of its entity, before and after', () => {
  const NewImage = image(5, { placedAt: { S: '2026-11-16' }, note: { B: 'aGk=' } })
  const change = readStream(shop, record('MODIFY', { OldImage: image(4), NewImage }))
  expect(change).toEqual({
    entity: 'Order',
    kind: 'modify',
    id: 'e7',
    at: new Date(1_780_000_000_000),
    sequenceNumber: '100000000000000000007',
    position: `2026-11-16T10:00:00.000/${'100000000000000000007'.padStart(40, '0')}`,
    before: { orderId: '1', total: 4 },
    after: {
      orderId: '1',
      total: 5,
      placedAt: new Date('2026-11-16'),
      note: new Uint8Array([104, 105]),
    },
  })
  if (change?.entity !== 'Order' || change.kind !== 'modify') throw new Error('it is something else')
  expectTypeOf(change.after.total).toEqualTypeOf<number>()
  expectTypeOf(change.before.placedAt).toEqualTypeOf<Date | undefined>()
})

test('records of the SDK have dates and bytes, and do not name their stream', () => {
  const NewImage = image(5, { note: { B: new Uint8Array([1]) } })
  const own = {
    ...record('INSERT', { NewImage, ApproximateCreationDateTime: new Date(7) }),
    eventSourceARN: undefined,
  }
  expect(readStream(shop, own)).toMatchObject({ kind: 'insert', at: new Date(7), position: undefined })
  expect(readStream(shop, own, { streamArn: eventSourceARN })?.position).toMatch(/^2026-11-16T/)
})

test('records of a Kinesis data stream are read from their data, in each form', () => {
  const data = {
    eventID: '5f1c8e0e-0000-4000-8000-000000000000',
    eventName: 'INSERT',
    tableName: 'shop',
    userIdentity: null,
    recordFormat: 'application/json',
    dynamodb: {
      Keys,
      NewImage: image(5),
      ApproximateCreationDateTime: 1_780_000_000_123_456,
      ApproximateCreationDateTimePrecision: 'MICROSECOND',
    },
  }
  const bytes = new TextEncoder().encode(JSON.stringify(data))
  const base64 = Buffer.from(bytes).toString('base64')
  const expected = {
    kind: 'insert',
    at: new Date(1_780_000_000_123),
    position: expect.stringMatching(/^kinesis\/0+1780/),
  }
  expect(readStream(shop, data)).toMatchObject(expected)
  expect(readStream(shop, { Data: bytes })).toMatchObject(expected)
  const event = { eventID: 'shardId-1:9', kinesis: { data: base64, sequenceNumber: '9' } }
  expect(readStream(shop, event)).toMatchObject({ ...expected, id: data.eventID, sequenceNumber: '9' })
})

test('the end of an item says if its time to live had passed', () => {
  const byService = { userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' } }
  const bySdk = { userIdentity: { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' } }
  const removed = { OldImage: image(4) }
  expect(readStream(shop, record('REMOVE', removed))).toMatchObject({ kind: 'remove', isExpiry: false })
  expect(readStream(shop, record('REMOVE', removed, byService))).toMatchObject({ kind: 'remove', isExpiry: true })
  expect(readStream(shop, record('REMOVE', removed, bySdk))).toMatchObject({ kind: 'remove', isExpiry: true })
})

test('guards are passed over, and unknown entities are refused or skipped', () => {
  const guard = { ...Keys, entity: { S: 'Order.orderId' } }
  expect(readStream(shop, record('INSERT', { NewImage: guard }))).toBeUndefined()
  const strange = record('INSERT', { NewImage: { ...Keys, entity: { S: 'Parcel' } } })
  expect(() => readStream(shop, strange)).toThrow(
    "The record is a change of the item ORDER#1, ORDER, which says it is 'Parcel'. The model shop knows Order, Customer. Add the entity to the model, or pass unknownEntities: 'skip'.",
  )
  expect(readStream(shop, strange, { unknownEntities: 'skip' })).toBeUndefined()
  const elsewhere = { ...strange, eventSourceARN: eventSourceARN.replace('/shop/', '/other/') }
  expect(() => readStream(shop, elsewhere)).toThrow('is a change of the table other')
  expect(readStream(shop, record('INSERT', { NewImage: image(1) }), { tables: 'shop' })?.entity).toBe('Order')
})

test('where no attribute says what an item is, its key does', () => {
  const old = model({
    name: 'shop',
    table: { discriminator: 'by-key' },
    entities: { Order, Customer },
    patterns: () => ({}),
  })
  const NewImage = { ...Keys, orderId: { S: '1' }, total: { N: '3' } }
  expect(readStream(old, record('INSERT', { NewImage }))).toMatchObject({ entity: 'Order', after: { total: 3 } })
  const strange = { ...NewImage, pk: { S: 'PARCEL#1' } }
  expect(() => readStream(old, record('INSERT', { NewImage: strange }))).toThrow('which does not say what it is')
})

test('a stream that does not show both images is refused in a sentence', () => {
  const half = record('MODIFY', { NewImage: image(1), StreamViewType: 'NEW_IMAGE' })
  expect(() => readStream(shop, half)).toThrow(
    "The stream shows NEW_IMAGE of each change. Set the table's StreamViewType to NEW_AND_OLD_IMAGES",
  )
  for (const odd of [{}, { eventName: 'INSERT' }, { dynamodb: {}, eventName: 'DROP' }])
    expect(() => readStream(shop, odd)).toThrow('This is not a change of a DynamoDB item')
})

test('a handler is called for each change in order, and a batch fails from the first failure on', async () => {
  const seen: string[] = []
  const handler = onChange(
    shop,
    {
      Order: {
        insert: ({ after }) => seen.push(`insert ${after.total}`),
        modify: async ({ before, after }) => {
          await Promise.resolve()
          seen.push(`modify ${before.total} ${after.total}`)
          if (after.total === 13) throw new Error('unlucky')
        },
        remove: ({ before, isExpiry }) => seen.push(`remove ${before.total} ${isExpiry}`),
      },
    },
    { onError: (error) => seen.push(String(error)) },
  )
  const number = (SequenceNumber: string, rest: object): object => ({ ...rest, SequenceNumber })
  const Records = [
    record('INSERT', number('1', { NewImage: image(1) })),
    record('INSERT', number('2', { NewImage: { ...Keys, entity: { S: 'Parcel' } } })),
    // Another entity takes the place of the order.
    record(
      'MODIFY',
      number('3', {
        OldImage: image(1),
        NewImage: { ...image(2), entity: { S: 'Customer' }, customerId: { S: '1' }, name: { S: 'A' } },
      }),
    ),
    record('MODIFY', number('4', { OldImage: image(2), NewImage: image(13) })),
    record('REMOVE', number('5', { OldImage: image(13) })),
  ]
  expect(await handler({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier: '4' }] })
  expect(seen).toEqual(['insert 1', 'remove 1 false', 'modify 2 13', 'Error: unlucky'])
  expect(await handler({ Records: Records.slice(4) })).toEqual({ batchItemFailures: [] })
  expect(await handler({ Records: [] })).toEqual({ batchItemFailures: [] })
})

test('handlers are typed by their entity', () => {
  onChange(shop, {
    // @ts-expect-error There is no such entity.
    Parcel: {},
  })
  onChange(shop, { Order: { insert: ({ before }) => expectTypeOf(before).toEqualTypeOf<undefined>() } })
  onChange(shop, { Customer: { remove: ({ before }) => expectTypeOf(before.name).toEqualTypeOf<string>() } })
})
