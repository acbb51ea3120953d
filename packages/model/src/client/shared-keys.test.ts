import { open } from 'hashrange'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { checkModel } from '../check/index.ts'
import { add, entity, model, s } from '../index.ts'
import { openModel } from '../testing/open-model.ts'

const Person = entity('Person', { id: s.string(), name: s.string(), age: s.int().default(0) }).key({
  pk: 'PARTY#{id}',
  sk: 'PARTY',
  shared: true,
})
const Company = entity('Company', { id: s.string(), name: s.string(), vat: s.string() })
  .key({ pk: 'PARTY#{id}', sk: 'PARTY', shared: true })
  .unique('vat')
const Payment = entity('Payment', {
  id: s.string(),
  at: s.iso('second'),
  method: s.union('kind', {
    card: { last4: s.string(), expires: s.date('day').optional() },
    transfer: { iban: s.string(), fee: s.int().default(0) },
  }),
}).key({ pk: 'PARTY#{id}', sk: 'PAYMENT#{at}' })
const parties = model({
  name: 'parties',
  entities: { Person, Company, Payment },
  patterns: (p) => ({
    page: p.query({ pk: 'PARTY#{id}' }),
    either: p.query({ pk: 'PARTY#{id}', sk: 'PARTY' }),
    getPerson: p.get('Person'),
    both: p.batchGet(['Person', 'Company']),
    pay: p.create('Payment'),
    rename: p.update('Person', { changes: ['name'] }),
  }),
})

describe('two entities that share their keys on purpose', () => {
  test('are kept apart: one key holds one of them', async () => {
    const { db } = await openModel(parties)
    await db.Person.create({ id: '1', name: 'Ada' })
    await db.Company.create({ id: '2', name: 'Acme', vat: 'X' })
    await expect(db.Company.create({ id: '1', name: 'Ada Ltd', vat: 'Y' })).rejects.toMatchObject({
      code: 'ALREADY_EXISTS',
      message: expect.stringContaining('belongs to an item of another entity') as unknown,
      item: undefined,
    })
    const { items } = await db.either({ id: '2' })
    expectTypeOf<keyof typeof items>().toEqualTypeOf<'Person' | 'Company'>()
    expect(items).toEqual({ Person: [], Company: [{ id: '2', name: 'Acme', vat: 'X' }] })
    expect((await db.getPerson({ id: '2' })).item).toBeUndefined()
    expect((await db.both({ Person: [{ id: '1' }, { id: '2' }], Company: [{ id: '2' }] })).items).toMatchObject({
      Person: [{ name: 'Ada' }, undefined],
      Company: [{ name: 'Acme' }],
    })
    const refused = (code: string) => ({ code })
    await expect(db.Person.update({ id: '2' }, { age: add(1) })).rejects.toMatchObject(refused('NOT_FOUND'))
    await expect(db.Company.update({ id: '1' }, { vat: 'Z' })).rejects.toMatchObject(refused('NOT_FOUND'))
    await expect(db.Person.put({ id: '2', name: 'B' })).rejects.toMatchObject(refused('ALREADY_EXISTS'))
    await expect(db.Company.put({ id: '1', name: 'B', vat: 'W' })).rejects.toMatchObject(refused('ALREADY_EXISTS'))
    await expect(db.Person.upsert({ id: '2', name: 'B' })).rejects.toMatchObject(refused('ALREADY_EXISTS'))
    await expect(db.Company.upsert({ id: '1', name: 'B', vat: 'W' })).rejects.toMatchObject(
      refused('ALREADY_EXISTS'),
    )
    await expect(db.Person.modify({ id: '2' }, (person) => person)).rejects.toMatchObject(refused('NOT_FOUND'))
    await expect(db.Person.delete({ id: '2' })).rejects.toMatchObject(refused('NOT_FOUND'))
    await expect(db.Company.delete({ id: '1' })).rejects.toMatchObject(refused('NOT_FOUND'))
    await expect(
      db.transact((t) => [t.Person.check({ id: '2' }, { name: 'Acme' }), t.Person.create({ id: '9', name: 'N' })]),
    ).rejects.toMatchObject(refused('NOT_FOUND'))
    expect((await db.rename({ id: '1' }, { name: 'Ada L' })).item.name).toBe('Ada L')
    expect((await db.Person.put({ id: '1', name: 'A' })).item.name).toBe('A')
    expect((await db.Person.delete({ id: '1' })).item?.name).toBe('A')
    expect((await db.Person.delete({ id: '1' })).item).toBeUndefined()
    await db.Person.upsert({ id: '1', name: 'Again' })
  })

  test('are checked, and not shared by accident', async () => {
    const { measurement, findings } = await checkModel(parties, { open, maxItems: 100 })
    expect(measurement.patterns.flatMap(({ pattern, failure }) => (failure ? [pattern, failure] : []))).toEqual([])
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
    const Other = entity('Other', { id: s.string() }).key({ pk: 'PARTY#{id}', sk: 'PARTY' })
    expect(() => model({ name: 'm', entities: { Person, Other }, patterns: () => ({}) })).toThrow(
      'declare both keys as shared',
    )
    const byKey = () =>
      model({ name: 'm', table: { discriminator: 'by-key' }, entities: { Person }, patterns: () => ({}) })
    expect(byKey).toThrow('Give its table a discriminator')
  })
})

describe('a value of one of several forms', () => {
  test('is written and read as the form it says it is', async () => {
    const { db } = await openModel(parties)
    const card = { kind: 'card', last4: '4242', expires: new Date('2030-01-01') } as const
    await db.pay({ id: '1', at: '2026-01-01T00:00:00Z', method: card })
    await db.pay({ id: '1', at: '2026-01-02T00:00:00Z', method: { kind: 'transfer', iban: 'DE1' } })
    const [first, second] = (await db.page({ id: '1' })).items.Payment
    expect(first?.method).toEqual(card)
    expect(second?.method).toEqual({ kind: 'transfer', iban: 'DE1', fee: 0 })
    if (second?.method.kind === 'transfer') expectTypeOf(second.method.fee).toEqualTypeOf<number>()
    if (first?.method.kind === 'card') expectTypeOf(first.method.expires).toEqualTypeOf<Date | undefined>()
    const bad = (method: object) => db.pay({ id: '2', at: '2026-01-01T00:00:00Z', method: method as never })
    await expect(bad({ kind: 'cash' })).rejects.toThrow('whose kind is card or transfer')
    await expect(bad({ kind: 'card', last4: '1', iban: 'DE1' })).rejects.toMatchObject({ code: 'INVALID_VALUE' })
    await expect(bad({ kind: 'card' })).rejects.toMatchObject({ code: 'MISSING_VALUE' })
    await expect(bad({ last4: '1' })).rejects.toMatchObject({ code: 'INVALID_VALUE' })
    await db.Payment.update({ id: '1', at: '2026-01-02T00:00:00Z' }, { 'method.fee': add(2) })
    expect((await db.page({ id: '1' })).items.Payment[1]?.method).toMatchObject({ fee: 2 })
    const refused = () => {
      // @ts-expect-error a card has no iban
      void db.pay({ id: '1', at: '2026', method: { kind: 'card', iban: 'x' } })
      // @ts-expect-error there is no such form
      void db.pay({ id: '1', at: '2026', method: { kind: 'cash' } })
    }
    expect(refused).toBeTypeOf('function')
  })
})
