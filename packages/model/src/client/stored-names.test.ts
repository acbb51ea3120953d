import { open } from 'hashrange'
import { expect, test } from 'vitest'
import { checkModel } from '../check/index.ts'
import { add, entity, model, now, remove, s } from '../index.ts'
import { openModel } from '../testing/open-model.ts'

const Person = entity('Person', {
  id: s.string(),
  name: s.string().as('nm'),
  email: s.string().as('e'),
  age: s.int().default(0).as('a'),
  address: s.map({ name: s.string(), city: s.string().optional() }).as('ad'),
  expires: s.ttl().optional().as('x'),
  version: s.version().as('v'),
  updatedAt: s.iso('second').onWrite(now).as('u'),
})
  .key({ pk: 'P#{id}', sk: 'P' })
  .index('byName', { pk: 'N#{name}', sk: '{id}' })
  .unique('email')
const people = model({
  name: 'people',
  table: { indexes: { byName: { projection: ['age'] } } },
  entities: { Person },
  patterns: (p) => ({
    named: p.query({ on: 'byName', pk: 'N#{name}', filter: ['age'] }),
    byEmail: p.lookup('Person', 'email'),
    page: p.query({ pk: 'P#{id}' }),
    grow: p.update('Person', { changes: ['age'] }),
    change: p.modify('Person'),
    everybody: p.scan(),
  }),
})

test('attributes are stored under other names, and nobody who uses the model notices', async () => {
  const { db, client } = await openModel(people, { now: () => new Date('2026-01-01T00:00:00Z') })
  const created = await db.Person.create({ id: '1', name: 'Ada', email: 'a@x', address: { name: 'home' } })
  expect(created.item).toEqual({
    id: '1',
    name: 'Ada',
    email: 'a@x',
    age: 0,
    address: { name: 'home' },
    version: 1,
    updatedAt: '2026-01-01T00:00:00Z',
  })
  const stored = async () =>
    (await client.getItem({ TableName: 'people', Key: { pk: { S: 'P#1' }, sk: { S: 'P' } } })).Item ?? {}
  expect(new Set(Object.keys(await stored()))).toEqual(
    new Set(['pk', 'sk', 'entity', 'byNamepk', 'byNamesk', 'id', 'nm', 'e', 'a', 'ad', 'v', 'u']),
  )
  // A field inside of an attribute keeps its name, even one that is also an attribute's.
  await db.Person.update(
    { id: '1' },
    { name: 'Ada L', 'address.name': 'castle', age: add(3) },
    { if: { 'address.name': 'home', name: 'Ada' }, version: 1 },
  )
  expect((await db.Person.get({ id: '1' }, { select: ['name', 'address', 'age'] })).item).toEqual({
    name: 'Ada L',
    address: { name: 'castle' },
    age: 3,
  })
  await db.Person.update({ id: '1' }, { email: 'b@x', expires: new Date('2030-01-01') })
  expect((await db.byEmail({ email: 'b@x' })).item?.name).toBe('Ada L')
  await db.change({ id: '1' }, (person) => ({ ...person, name: 'A', expires: undefined }))
  await db.Person.update({ id: '1' }, { 'address.city': 'Paris' })
  await db.Person.update({ id: '1' }, { 'address.city': remove() })
  expect((await db.named({ name: 'A', age: 3 })).items.Person).toEqual([{ id: '1', name: 'A', age: 3 }])
  await db.Person.upsert({ id: '2', name: 'B', email: 'c@x', address: { name: 'y' } })
  await expect(
    db.Person.create({ id: '3', name: 'C', email: 'c@x', address: { name: 'z' } }),
  ).rejects.toMatchObject({
    code: 'NOT_UNIQUE',
  })
  await expect(db.Person.update({ id: '1' }, { age: 1 }, { version: 1 })).rejects.toMatchObject({
    code: 'CONFLICT',
  })
  expect((await db.page({ id: '1' })).items.Person[0]).toMatchObject({ name: 'A', email: 'b@x', version: 6 })
  expect((await db.Person.delete({ id: '1' })).item).toMatchObject({ name: 'A' })
  expect((await db.everybody({}, { select: ['email'] })).entries.map(({ item }) => item)).toEqual([
    { email: 'c@x' },
  ])
})

test('the checker, and tables that are made, know the names', async () => {
  const { findings, measurement } = await checkModel(people, { open, maxItems: 100 })
  expect(measurement.patterns.flatMap(({ pattern, failure }) => (failure ? [pattern, failure] : []))).toEqual([])
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(people.description.tables[0]).toMatchObject({
    ttlAttribute: 'x',
    indexes: [{ projection: { attributes: ['entity', 'a'] } }],
  })
})

test('what one entity stores under another name is a plain name of another', async () => {
  const Person1 = entity('Person', { id: s.string(), name: s.string().as('nm') }).key({ pk: 'P#{id}', sk: 'P' })
  const Company = entity('Company', { id: s.string(), name: s.string(), city: s.string() })
    .key({ pk: 'P#{id}', sk: 'C' })
    .index('byName', { pk: ['name'], sk: ['city'] })
  const parties = model({
    name: 'parties',
    entities: { Person: Person1, Company },
    patterns: (p) => ({
      named: p.query({ on: 'byName', pk: ['name'], range: 'city' }),
      companies: p.query({ pk: 'P#{id}', sk: 'C', filter: ['name'] }),
      both: p.query({ pk: 'P#{id}' }),
    }),
  })
  const { db } = await openModel(parties)
  const company = { id: '1', name: 'A', city: 'Rome' }
  await db.batchWrite((b) => [b.Person.put({ id: '1', name: 'B' }), b.Company.put(company)])
  expect((await db.named({ name: 'A', city: { from: 'R' } })).items.Company).toEqual([company])
  expect((await db.companies({ id: '1', name: 'A' })).items.Company).toEqual([company])
  expect((await db.both({ id: '1' }, { select: ['name'] })).entries.map(({ item }) => item)).toEqual([
    { name: 'A' },
    { name: 'B' },
  ])
})

test('names that others have are refused', () => {
  const made = (attributes: Parameters<typeof entity>[1]) => () =>
    model({
      name: 'm',
      entities: { E: entity('E', attributes).key({ pk: 'E#{id}' as never }) } as never,
      patterns: () => ({}),
    })
  expect(made({ id: s.string(), a: s.string().as('b'), b: s.string() })).toThrow('also another attribute')
  expect(made({ id: s.string(), a: s.string().as('x'), b: s.string().as('x') })).toThrow('also another attribute')
  expect(made({ id: s.string(), a: s.string().as('pk') })).toThrow('uses for keys')
  expect(made({ id: s.string(), a: s.string().as('entity') })).toThrow('uses for keys')
})
