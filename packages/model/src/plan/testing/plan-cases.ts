import { entity, type AnyEntity } from '../../model/entity.ts'
import { model, type AnyModel } from '../../model/model.ts'
import { s } from '../../schema/s.ts'
import type { DifferenceKind } from '../difference.ts'

const base = { userId: s.string(), orderId: s.string(), total: s.int() }
const key = { pk: 'USER#{userId}', sk: 'ORDER#{orderId}' } as const

/** An entity, whatever its types are. */
export interface Loose {
  key(key: object): Loose
  index(name: string, key: object): Loose
  unique(attribute: string): Loose
  indexItem(name: string, key: object): Loose
  volume(volume: object): AnyEntity
}

export function shop(attributes: object = {}, more = (order: Loose): Loose => order, rest: object = {}): AnyModel {
  const plain = entity('Order', { ...base, ...attributes }).key(key) as unknown as Loose
  const Order = more(plain).volume({ items: 1_000_000 })
  return model({
    name: 'shop',
    entities: { Order },
    patterns: (p: { query: (query: object) => unknown }) => ({ orders: p.query({ pk: 'USER#{userId}' }) }),
    ...rest,
  } as never)
}

const Note = entity('Note', { userId: s.string(), noteId: s.string() }).key({
  pk: 'USER#{userId}',
  sk: 'NOTE#{noteId}',
})

/** What changes, how it is classified, and what is said about it. `item` is what each version would write. */
export interface Case {
  readonly before: AnyModel
  readonly after: AnyModel
  readonly kind: DifferenceKind
  readonly says: string
  readonly items?: readonly [object, object]
}

const item = { userId: 'u', total: 1 }
export const cases: Record<string, Case> = {
  nothing: { before: shop(), after: shop(), kind: 'compatible', says: '', items: [item, item] },
  'an optional attribute': {
    before: shop(),
    after: shop({ note: s.string().optional() }),
    kind: 'compatible',
    says: 'Order.note is new',
    items: [item, { ...item, note: 'x' }],
  },
  'an attribute with a default': {
    before: shop(),
    after: shop({ note: s.string().default('') }),
    kind: 'compatible',
    says: 'Items without it are read with its default',
    items: [item, { ...item, note: 'x' }],
  },
  'a required attribute': {
    before: shop(),
    after: shop({ note: s.string() }),
    kind: 'unsafe',
    says: 'Order.note is new and required',
    items: [item, { ...item, note: 'x' }],
  },
  'an attribute that is gone': {
    before: shop({ note: s.string() }),
    after: shop(),
    kind: 'unsafe',
    says: 'Old code cannot read what new code writes without it',
    items: [{ ...item, note: 'x' }, item],
  },
  'a new name': {
    before: shop({ note: s.string() }),
    after: shop({ remark: s.string() }),
    kind: 'unsafe',
    says: 'note is gone and remark is new, with the same type: it seems to be renamed',
    items: [
      { ...item, note: 'x' },
      { ...item, remark: 'x' },
    ],
  },
  'another type': {
    before: shop({ note: s.string() }),
    after: shop({ note: s.int() }),
    kind: 'unsafe',
    says: 'Order.note is stored as N instead of S',
    items: [
      { ...item, note: 'x' },
      { ...item, note: 1 },
    ],
  },
  'another value of an enum': {
    before: shop({ note: s.enum('a') }),
    after: shop({ note: s.enum('a', 'b') }),
    kind: 'unsafe',
    says: 'Order.note can also be b',
  },
  'no longer required': {
    before: shop({ note: s.string() }),
    after: shop({ note: s.string().optional() }),
    kind: 'unsafe',
    says: 'Order.note is no longer required',
    items: [{ ...item, note: 'x' }, item],
  },
  'another sort key': {
    before: shop(),
    after: shop({}, (order) => order.key({ pk: 'USER#{userId}', sk: 'O#{orderId}' })),
    kind: 'unsafe',
    says: 'key of Order is USER#{userId} O#{orderId} instead of USER#{userId} ORDER#{orderId}',
  },
  'more shards': {
    before: shop({ shard: s.shard(4, 'orderId') }),
    after: shop({ shard: s.shard(16, 'orderId') }),
    kind: 'unsafe',
    says: 'Order.shard has 16 shards instead of 4',
  },
  'an entity that old code meets': {
    before: shop(),
    after: shop({}, undefined, { entities: { Order: entity('Order', base).key(key), Note } }),
    kind: 'unsafe',
    says: 'Old code reads its items in orders, and does not know them (UNKNOWN_ENTITY)',
  },
  'a native index': {
    before: shop(),
    after: shop({}, (order) => order.index('byTotal', { pk: ['userId'], sk: ['total'] })),
    kind: 'compatible',
    says: 'index byTotal is new',
  },
  'an index with a composed key': {
    before: shop(),
    after: shop({}, (order) => order.index('all', { pk: 'ALL', sk: '{total:09}' })),
    kind: 'unsafe',
    says: 'Order in index all has the key ALL {total:09}',
  },
  'an index that is gone': {
    before: shop({}, (order) => order.index('byTotal', { pk: ['userId'], sk: ['total'] })),
    after: shop(),
    kind: 'compatible',
    says: 'index byTotal is gone',
  },
  'a unique constraint': {
    before: shop({ note: s.string() }),
    after: shop({ note: s.string() }, (order) => order.unique('note')),
    kind: 'unsafe',
    says: 'Order.note must be unique',
  },
  'another discriminator': {
    before: shop(),
    after: shop({}, undefined, { table: { discriminator: 'kind' } }),
    kind: 'unsafe',
    says: 'tells entities apart by kind instead of entity',
    items: [item, item],
  },
  'a stream': {
    before: shop(),
    after: shop({}, undefined, { table: { stream: 'NEW_AND_OLD_IMAGES' } }),
    kind: 'compatible',
    says: 'has the stream NEW_AND_OLD_IMAGES instead of none',
    items: [item, item],
  },
  'an enum instead of any text': {
    before: shop({ note: s.string().optional() }),
    after: shop({ note: s.enum('a').optional() }),
    kind: 'unsafe',
    says: 'Order.note is enum instead of string',
  },
  'fractions instead of whole numbers': {
    before: shop({ weight: s.int().optional() }),
    after: shop({ weight: s.number().optional() }),
    kind: 'unsafe',
    says: 'Order.weight is number instead of int',
  },
  'numbers that JavaScript cannot hold': {
    before: shop({ weight: s.int().optional() }),
    after: shop({ weight: s.bigint().optional() }),
    kind: 'unsafe',
    says: 'Order.weight is int read as bigint instead of int',
  },
  'a date that is read as a Date': {
    before: shop({ at: s.iso('second').optional() }),
    after: shop({ at: s.date('second').optional() }),
    kind: 'compatible',
    says: '',
    items: [
      { ...item, at: '2026-01-01T00:00:00Z' },
      { ...item, at: new Date(0) },
    ],
  },
  'another range': {
    before: shop({ weight: s.int().range(0, 9).optional() }),
    after: shop({ weight: s.int().range(0, 99).optional() }),
    kind: 'unsafe',
    says: 'Order.weight is int from 0 to 99 instead of int from 0 to 9',
  },
  'a required field inside of a map': {
    before: shop({ to: s.map({ street: s.string() }).optional() }),
    after: shop({ to: s.map({ street: s.string(), city: s.string() }).optional() }),
    kind: 'unsafe',
    says: 'Order.to.city is new and required',
  },
  'an optional field inside of a list of maps': {
    before: shop({ to: s.list(s.map({ street: s.string() })).optional() }),
    after: shop({ to: s.list(s.map({ street: s.string(), city: s.string().optional() })).optional() }),
    kind: 'compatible',
    says: '',
    items: [
      { ...item, to: [{ street: 'a' }] },
      { ...item, to: [{ street: 'a', city: 'b' }] },
    ],
  },
  'other elements of a list': {
    before: shop({ to: s.list(s.string()).optional() }),
    after: shop({ to: s.list(s.int()).optional() }),
    kind: 'unsafe',
    says: 'Order.to[] is int instead of string',
  },
  'another form of a union': {
    before: shop({ by: s.union('kind', { card: { last: s.string() } }).optional() }),
    after: shop({ by: s.union('kind', { card: { last: s.string() }, cash: {} }).optional() }),
    kind: 'unsafe',
    says: 'has the forms card, cash instead of card',
  },
  'shards by another attribute': {
    before: shop({ shard: s.shard(4, 'orderId') }),
    after: shop({ shard: s.shard(4, 'userId') }),
    kind: 'unsafe',
    says: 'Order.shard follows from userId instead of orderId',
  },
  'shards by a hash instead of by chance': {
    before: shop({ shard: s.shard(4) }),
    after: shop({ shard: s.shard(4, 'orderId') }),
    kind: 'unsafe',
    says: 'Order.shard follows from orderId instead of chance',
  },
  'another default': {
    before: shop({ note: s.string().default('a') }),
    after: shop({ note: s.string().default('b') }),
    kind: 'backfill',
    says: 'Order.note is "b" by default instead of "a"',
  },
  'a version': {
    before: shop(),
    after: shop({ version: s.version() }),
    kind: 'unsafe',
    says: 'It does not notice changes by the other version',
  },
  'no version any more': {
    before: shop({ version: s.version() }),
    after: shop(),
    kind: 'unsafe',
    says: 'Order.version is gone',
  },
  'the name of something else': {
    before: shop({ note: s.string().optional() }),
    after: shop({ weight: s.int().optional().as('note') }),
    kind: 'unsafe',
    says: 'Order.weight is stored as N instead of S',
  },
  'the name that something else still has in items that exist': {
    before: shop({ note: s.string().optional().as('text') }),
    after: shop({ note: s.string().optional(), text: s.int().optional() }),
    kind: 'unsafe',
    says: 'have note under that name: new code takes it for text',
  },
  'another name in the model alone': {
    before: shop({ note: s.string() }),
    after: shop({ remark: s.string().as('note') }),
    kind: 'compatible',
    says: 'in the table it is still note',
    items: [
      { ...item, note: 'x' },
      { ...item, remark: 'x' },
    ],
  },
  'an entity that leaves an index': {
    before: twoInIndex(true),
    after: twoInIndex(false),
    kind: 'unsafe',
    says: 'Note in index all is gone',
  },
  'another name of an entity': {
    before: shop(),
    after: shop({}, undefined, {
      entities: { Purchase: entity('Purchase', base).key(key) },
      patterns: (p: { get: (name: string) => unknown }) => ({ purchase: p.get('Purchase') }),
    }),
    kind: 'unsafe',
    says: 'entity Purchase is new, with the keys of Order, which is gone: it seems to be renamed',
  },
  'an index item instead of a guard': {
    before: shop({ note: s.string() }, (order) => order.unique('note')),
    after: shop({ note: s.string() }, (order) =>
      order.indexItem('note', { pk: 'UNIQUE#Order#note#{note}', sk: 'UNIQUE' }),
    ),
    kind: 'unsafe',
    says: 'Order.note is an index item UNIQUE#Order#note#{note} UNIQUE instead of a guard',
  },
  'no time to live any more': {
    before: shop({ until: s.ttl().optional() }),
    after: shop(),
    kind: 'compatible',
    says: 'items that have until still expire until it is turned off',
    items: [item, item],
  },
}

/** Orders in an index, and notes as well or no longer. */
function twoInIndex(hasNotes: boolean): AnyModel {
  const plain = Note as unknown as Loose
  return shop({}, undefined, {
    entities: {
      Order: entity('Order', base).key(key).index('all', { pk: 'ALL', sk: '{orderId}' }),
      Note: hasNotes ? plain.index('all', { pk: 'ALL', sk: '{noteId}' }) : plain,
    },
  })
}
