import { entity, model, s, ulid, now } from '@hashrange/model'
import { describe, expect, test } from 'vitest'
import type { TableDescription } from '../../../api-types.ts'
import { modelClient } from '../../../codegen/model-client.ts'
import { noFilter, type FilterCondition, type FilterGroup } from '../draft/draft.ts'
import { buildWrite } from './build-write.ts'
import { modelWrite } from './model-write.ts'
import { emptyWrite, newRow, type AttributeChange, type RowKind, type WriteRow } from './write-draft.ts'

const Customer = entity('Customer', {
  customerId: s.ulid().default(ulid),
  email: s.string(),
  city: s.string().optional().as('ct'),
  tags: s.set(s.string()).optional(),
  address: s.map({ street: s.string() }).optional(),
  balance: s.bigint().default(0n),
  createdAt: s.iso().default(now).readOnly(),
  version: s.version(),
})
  .key({ pk: 'CUSTOMER#{customerId}', sk: 'PROFILE' })
  .unique('email', { pk: 'EMAIL#{email}', sk: 'EMAIL' })
const Order = entity('Order', {
  customerId: s.ulid(),
  orderId: s.string(),
  status: s.enum('open', 'sent'),
  total: s.number(),
  hidden: s.codec({ as: s.string(), encode: (value: string) => value, decode: (text: string) => text }).optional(),
})
  .key({ pk: 'CUSTOMER#{customerId}', sk: 'ORDER#{orderId}' })
  .index('byStatus', { pk: 'STATUS#{status}#{total:08}', sk: '{orderId}' })
const Link = entity('Link', { url: s.string(), clicks: s.int() }).key({ pk: 'LINK#{url:hash}', sk: 'LINK' })
const shop = model({ name: 'shop', entities: { Customer, Order, Link }, patterns: () => ({}) })

const table = {
  TableName: 'shop',
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
  ],
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
} as unknown as TableDescription
const models = [{ file: 'src/shop.model.ts', digest: '', exportName: 'shop', description: shop.description }]
const id = '01J8Z3K9ABCDEFGHJKMNPQRSTV'
const customerKey = [`CUSTOMER#${id}`, 'PROFILE']
const orderKey = [`CUSTOMER#${id}`, 'ORDER#7']

const row = (kind: RowKind, parts: Partial<WriteRow>): WriteRow => ({ ...newRow(kind), ...parts })
const change = (action: AttributeChange['action'], path: string, type: AttributeChange['type'], value: string) => ({
  action,
  path,
  type,
  value,
})
const condition = (parts: Partial<FilterCondition>): FilterCondition => ({
  kind: 'condition',
  path: '',
  operator: '=',
  type: 'S',
  value: '',
  to: '',
  ...parts,
})
const group = (nodes: FilterGroup['nodes'], join: 'AND' | 'OR' = 'AND'): FilterGroup => ({
  ...noFilter,
  join,
  nodes,
})

/** What is written with the client, after the lines that every program has; or why nothing is. */
function codeOf(rows: readonly WriteRow[], way: 'transaction' | 'batch' = 'transaction', known = models): string {
  const draft = { ...emptyWrite, rows, way }
  const { request, problems } = buildWrite(draft, table)
  expect([...problems]).toEqual([])
  const call = modelWrite(draft, request, 'shop', known)
  if (typeof call === 'string') return call
  return modelClient(call, { region: 'eu-west-1' }).split('\n').toSpliced(2, 5).slice(1).join('\n')
}

describe('writes by the model’s client', () => {
  test('an item is created without what the library adds, by its names in the model', () => {
    const item = `{"pk": "CUSTOMER#${id}", "sk": "PROFILE", "entity": "Customer", "email": "a'b", "ct": "Rome", "version": 1}`
    const notThere = group([condition({ path: 'pk', operator: 'not exists' })])
    expect(codeOf([row('put', { item, condition: notThere })])).toMatchInlineSnapshot(`
      "import { connect } from '@hashrange/model'
      const { item, cost } = await db.Customer.create({
        email: "a'b",
        city: 'Rome',
        customerId: '01J8Z3K9ABCDEFGHJKMNPQRSTV',
      })
      console.log(item, cost)
      "
    `)
    expect(codeOf([row('put', { item })])).toContain('db.Customer.put({')
    expect(codeOf([row('put', { item })])).toContain('version: 1')
  })

  test('an update is made of changes and a condition', () => {
    const changes = [
      change('set', 'ct', 'S', 'Paris'),
      change('add', 'balance', 'N', '12345678901234567890'),
      change('add', 'tags', 'SS', '["a", "b"]'),
      change('remove', 'address.street', 'S', ''),
    ]
    const onlyIf = group([
      condition({ path: 'pk', operator: 'exists' }),
      condition({ path: 'balance', operator: '>=', type: 'N', value: '1' }),
      condition({ path: 'tags', operator: 'contains', value: 'x' }),
    ])
    expect(codeOf([row('update', { key: customerKey, changes, condition: onlyIf })])).toMatchInlineSnapshot(`
      "import { add, addToSet, atLeast, connect, contains, exists, remove } from '@hashrange/model'
      const { item, cost } = await db.Customer.update(
        { customerId: '01J8Z3K9ABCDEFGHJKMNPQRSTV' },
        {
          city: 'Paris',
          balance: add(12345678901234567890n),
          tags: addToSet('a', 'b'),
          'address.street': remove(),
        },
        {
          if: {
            customerId: exists(),
            balance: atLeast(1n),
            tags: contains('x'),
          },
        },
      )
      console.log(item, cost)
      "
    `)
  })

  test('several are a transaction, with alternatives in a condition, or a batch', () => {
    const either = group(
      [
        condition({ path: 'status', value: 'open' }),
        condition({ path: 'total', operator: '<', type: 'N', value: '5' }),
      ],
      'OR',
    )
    const rows = [
      row('check', {
        key: customerKey,
        condition: group([condition({ path: 'email', operator: 'begins_with', value: 'a' })]),
      }),
      row('delete', { key: orderKey, condition: either }),
    ]
    expect(codeOf(rows)).toMatchInlineSnapshot(`
      "import { anyOf, beginsWith, below, connect } from '@hashrange/model'
      const { cost } = await db.transact((t) => [
        t.Customer.check(
          { customerId: '01J8Z3K9ABCDEFGHJKMNPQRSTV' },
          { email: beginsWith('a') },
        ),
        t.Order.delete(
          { customerId: '01J8Z3K9ABCDEFGHJKMNPQRSTV', orderId: '7' },
          { if: anyOf({ status: 'open' }, { total: below(5) }) },
        ),
      ])
      console.log(cost)
      "
    `)
    const plain = [row('delete', { key: orderKey }), row('delete', { key: [`CUSTOMER#${id}`, 'ORDER#8'] })]
    expect(codeOf(plain, 'batch')).toContain('await db.batchWrite((b) => [\n  b.Order.delete({')
  })

  test.each<[string, readonly WriteRow[], RegExp]>([
    ['of another table', [], /No model that is loaded here has the table shop/],
    ['without an entity', [row('delete', { key: ['NOBODY', 'X'] })], /No entity of the model shop has such a key/],
    ['of a guard', [row('delete', { key: ['EMAIL#a', 'EMAIL'] })], /writes it together with its Customer/],
    [
      'of half a key',
      [row('update', { key: orderKey, changes: [change('set', 'status', 'S', 'sent')] })],
      /status and total make one key of the index byStatus/,
    ],
    [
      'of a primary key',
      [row('update', { key: orderKey, changes: [change('set', 'orderId', 'S', '8')] })],
      /part of the primary key/,
    ],
    [
      'of what is read-only',
      [row('update', { key: customerKey, changes: [change('set', 'createdAt', 'S', 'x')] })],
      /read-only/,
    ],
    [
      'of an unknown attribute',
      [row('update', { key: customerKey, changes: [change('set', '__proto__', 'S', 'x')] })],
      /Customer has no attribute __proto__/,
    ],
    [
      'of a key that is an image',
      [row('delete', { key: ['LINK#0123456789abcdef', 'LINK'] })],
      /only a part of url, or a value that is computed from it/,
    ],
    [
      'of the model’s own values',
      [row('update', { key: orderKey, changes: [change('set', 'hidden', 'S', 'x')] })],
      /functions of the model/,
    ],
    [
      'with another comparison',
      [
        row('delete', {
          key: orderKey,
          condition: group([condition({ path: 'status', operator: 'size >', type: 'N', value: '1' })]),
        }),
      ],
      /no comparison like “size >”/,
    ],
    [
      'of two things at once',
      [
        row('put', {
          item: `{"pk": "CUSTOMER#${id}", "sk": "ORDER#7", "customerId": "01J8Z3K9ABCDEFGHJKMNPQRSTW", "orderId": "7", "status": "open", "total": 1}`,
        }),
      ],
      /The key and the attribute customerId have different values/,
    ],
    [
      'of an item that lacks something',
      [row('put', { item: `{"pk": "CUSTOMER#${id}", "sk": "ORDER#7", "status": "open"}` })],
      /Order needs the attribute total/,
    ],
    [
      'of a number that is too long',
      [
        row('put', {
          item: `{"pk": "CUSTOMER#${id}", "sk": "ORDER#7", "status": "open", "total": 12345678901234567890.5}`,
        }),
      ],
      /cannot hold exactly/,
    ],
  ])('a write %s says why there is none', (_, rows, why) => {
    if (rows.length === 0) expect(codeOf([row('delete', { key: orderKey })], 'transaction', [])).toMatch(why)
    else expect(codeOf(rows)).toMatch(why)
  })

  test('a batch has no entity with a guard', () => {
    const rows = [row('delete', { key: orderKey }), row('delete', { key: customerKey })]
    expect(codeOf(rows, 'batch')).toMatch(/^Change 2: Customer has unique values/)
  })
})
