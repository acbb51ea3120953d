import { expect, test } from 'vitest'
import { inferModel } from './infer-model.ts'
import { modelSource } from './model-source.ts'
import type { RawItem } from './raw-model.ts'

const table = {
  TableName: 'things',
  KeySchema: [
    { AttributeName: 'PK', KeyType: 'HASH' },
    { AttributeName: 'SK', KeyType: 'RANGE' },
  ],
  AttributeDefinitions: ['PK', 'SK', 'GSI1PK', 'GSI1SK'].map((AttributeName) => ({
    AttributeName,
    AttributeType: 'S',
  })),
  GlobalSecondaryIndexes: [
    {
      IndexName: 'GSI1',
      KeySchema: [
        { AttributeName: 'GSI1PK', KeyType: 'HASH' },
        { AttributeName: 'GSI1SK', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
}

function draft(items: readonly RawItem[]): string {
  const { description, notes } = inferModel('things', [{ description: table, items }])
  return modelSource(description, notes)
}

/** Strings are strings, numbers in strings are `N`. */
function item(PK: string, SK: string, rest: Readonly<Record<string, string | { readonly N: string }>>): RawItem {
  const all = Object.entries({ PK, SK, ...rest })
  return Object.fromEntries(all.map(([name, value]) => [name, typeof value === 'string' ? { S: value } : value]))
}

const six = [1, 2, 3, 4, 5, 6]

test('an attribute of any name says what items are, if keys begin accordingly', () => {
  const items = six.flatMap((n) => [
    item(`c:${n}`, 'cat:', { _model: 'Cat', colour: n % 2 === 0 ? 'red' : 'blue' }),
    item(`c:${n}`, `toy:${n}`, { _model: 'Toy', colour: n % 2 === 0 ? 'red' : 'blue' }),
  ])
  const source = draft(items)
  expect(source).toContain(`discriminator: '_model'`)
  expect(source).toContain(`sk: 'toy:{`)
  // A colour is not what an item is, though every item has one.
  expect(draft(items.map(({ _model, ...rest }) => rest))).toContain(`discriminator: 'by-key'`)
})

test('keys of small words tell kinds apart where no attribute does', () => {
  const items = six.flatMap((n) => [
    item(`user:u${n}`, 'profile', {}),
    item(`user:u${n}`, `order:${n}0`, { total: { N: '1' } }),
  ])
  const source = draft(items)
  expect(source).toContain(`const Order = entity('Order'`)
  expect(source).toContain(`sk: 'profile'`)
})

test('a time in milliseconds sorts as it does in the key that it has', () => {
  const source = draft(six.map((n) => item(`F#${n}`, `17672256000${n}0`, { ts: { N: `17672256000${n}0` } })))
  expect(source).toContain(`sk: '{ts:013}'`)
})

test('numbers that JavaScript cannot hold are drafted as types that can', () => {
  const source = draft(
    six.map((n) =>
      item(`F#${n}`, 'F', { cents: { N: `900719925474099${n}1` }, rate: { N: `0.1234567890123456789${n}` } }),
    ),
  )
  expect(source).toContain('cents: s.bigint()')
  expect(source).toContain('rate: s.decimal()')
})

test('what only the keys of a sparse index hold, an item may lack', () => {
  const source = draft(
    six.map((n) =>
      item(`S#${n}`, 'S', {
        status: n % 2 === 0 ? 'open' : 'done',
        tenant: n % 2 === 0 ? 'T01001' : 'T02002',
        ...(n % 2 === 0 && { GSI1PK: `DUE#${n}`, GSI1SK: 'x' }),
      }),
    ),
  )
  expect(source).toMatch(/dueId: s\.string\(\)\.optional\(\)/)
  expect(source).toContain(`when: { status: 'open' }`)
})

const complaints = {
  TableName: 'complaints',
  KeySchema: table.KeySchema,
  AttributeDefinitions: ['PK', 'SK', 'agent', 'at'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  GlobalSecondaryIndexes: [
    {
      IndexName: 'by-agent',
      KeySchema: [
        { AttributeName: 'agent', KeyType: 'HASH' },
        { AttributeName: 'at', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
}

test.each([
  [
    'an index whose keys are plain attributes has no condition: an item is in it if it has them',
    ['Ana', 'Ben', 'Ana'],
  ],
  ['a plain attribute that has the same value by chance is not a part of the key', ['Ana', 'Ana', 'Ana']],
])('%s', (_, agents) => {
  const items = six.map((n) =>
    item(`C#${n}`, `C#${n}`, {
      state: n > 3 ? 'open' : 'assigned',
      at: `2026-06-0${n}T10:00:00Z`,
      ...(n <= 3 && { agent: agents[n - 1] ?? '' }),
    }),
  )
  const { description, notes } = inferModel('complaints', [{ description: complaints, items }])
  const source = modelSource(description, notes)
  expect(source).toContain(`{ pk: '{agent}', sk: '{at}' }`)
  expect(source).toContain('agent: s.string().optional()')
})

test('the sort key of a sparse index may be the same for all', () => {
  const source = draft(
    six.map((n) => item(`B#${n}`, 'B', n % 2 === 0 ? { by: `p${n}`, GSI1PK: `BY#p${n}`, GSI1SK: '$bed' } : {})),
  )
  expect(source).toContain(`{ pk: 'BY#{by}', sk: '$bed' }`)
})

test('numbers of an export in Ion are what they are in keys', () => {
  const source = draft(
    six.map((n) => item(`F#${n}`, `${n}0`, { n: { N: `${n}e1` }, km: { N: `${n}.` }, rate: { N: `-${n}5E-3` } })),
  )
  expect(source).toContain(`sk: '{n}'`)
  expect(source).toContain('km: s.int()')
  expect(source).toContain('rate: s.number()')
})

test('what all samples have in common by chance is not taken for a part of the template', () => {
  const deviceId = '01M7Q0ZV91DSHFTSVKVSZABX0N'
  const times = six.map((n) => `2026-06-0${n}T10:00:00Z`)
  const desc = (text: string) => text.replaceAll(/\d/g, (digit) => String(9 - Number(digit)))
  const source = draft(
    times.flatMap((at) => [
      item(`R#${deviceId}#${at.slice(0, 10)}`, at, { type: 'Reading', deviceId, at }),
      item(`DEVICE#${deviceId}`, `LOG#${desc(at)}`, { type: 'Log', deviceId, at }),
    ]),
  )
  expect(source).toContain(`.key({ pk: 'R#{deviceId}#{at:day}', sk: '{at}' })`)
  expect(source).toContain(`.key({ pk: 'DEVICE#{deviceId}', sk: 'LOG#{at:desc}' })`)
})

test('kinds with the same keys share them, if an attribute says which one an item is', () => {
  const items = six.map((n) =>
    n % 2 === 0
      ? item(`OWNER#o${n}`, 'OWNER', { type: 'Person', ownerId: `o${n}`, name: 'x' })
      : item(`OWNER#o${n}`, 'OWNER', { type: 'Company', ownerId: `o${n}`, vat: 'y' }),
  )
  const source = draft(items)
  expect(source.match(/shared: true/g)).toHaveLength(2)
  expect(source).toContain('tells them apart')
})
