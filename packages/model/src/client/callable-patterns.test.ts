import { describe, expect, test } from 'vitest'
import { entity, model, s } from '../index.ts'
import { openModel } from '../testing/open-model.ts'

describe('a pattern that nobody could call is refused where it is defined', () => {
  const Account = entity('Account', { account: s.string() }).key({ pk: 'A#{account}', sk: 'ACCOUNT' })
  const Repo = entity('Repo', { org: s.string(), repo: s.string(), stars: s.int() }).key({
    pk: 'A#{org}',
    sk: 'REPO#{repo}',
  })
  const entities = { Account, Repo }

  test('because what it finds has no such attribute', () => {
    const define = () =>
      model({ name: 'm', entities, patterns: (p) => ({ repos: p.query({ pk: 'A#{account}', sk: 'REPO#*' }) }) })
    expect(define).toThrow(
      "The pattern repos asks for {account}, but what it finds (Repo) has no such attribute, so nobody could call it. Write the key as Repo does: 'A#{org}'.",
    )
    model({ name: 'm', entities, patterns: (p) => ({ repos: p.query({ pk: 'A#{org}', sk: 'REPO#*' }) }) })
    // Both: whoever has one of the names can call it.
    model({ name: 'm', entities, patterns: (p) => ({ all: p.query({ pk: 'A#{account}' }) }) })
  })

  test('because it changes what cannot change', () => {
    const define = (changes: readonly never[]) => () =>
      model({ name: 'm', entities, patterns: (p) => ({ move: p.update('Repo', { changes }) }) })
    expect(define(['org'] as never)).toThrow('The pattern move changes org, which is part of the primary key')
    expect(define(['nothing'] as never)).toThrow('which is not an attribute of Repo')
  })
})

test('what a pattern declares to change is all that it changes', async () => {
  const Page = entity('Page', { id: s.string(), views: s.int().default(0), title: s.string() }).key({
    pk: 'PAGE#{id}',
  })
  const pages = model({
    name: 'pages',
    entities: { Page },
    patterns: (p) => ({
      count: p.update('Page', { changes: ['views'] }),
      edit: p.modify('Page', { changes: ['title'] }),
      any: p.update('Page'),
    }),
  })
  const { db } = await openModel(pages)
  await db.Page.create({ id: '1', title: 'One' })
  await db.count({ id: '1' }, { views: 2 })
  // @ts-expect-error the title is not among the changes
  const other = db.count({ id: '1' }, { title: 'Two' })
  await expect(other).rejects.toMatchObject({
    code: 'INVALID_VALUE',
    message:
      'The pattern count declares that it changes views, not title. Add title to its changes, or use another pattern.',
  })
  // @ts-expect-error nor may it be explained
  await expect(db.count.explain({ id: '1' }, { title: 'Two' })).rejects.toThrow('declares')
  await db.edit({ id: '1' }, (page) => ({ ...page, title: 'Two' }))
  await expect(db.edit({ id: '1' }, (page) => ({ ...page, views: 9 }))).rejects.toThrow('not views')
  await db.any({ id: '1' }, { title: 'Three', views: 3 })
  expect((await db.Page.get({ id: '1' })).item).toEqual({ id: '1', title: 'Three', views: 3 })
})

test('a range that cannot be taken is refused with a sentence', () => {
  const Reading = entity('Reading', { device: s.string(), at: s.iso() }).key({
    pk: 'D#{device}#{at}',
    sk: '{at}',
  })
  const define = () =>
    model({
      name: 'm',
      entities: { Reading },
      patterns: (p) => ({
        // @ts-expect-error The partition key needs one value of at
        day: p.query({ pk: 'D#{device}#{at}', range: 'at' }),
      }),
    })
  expect(define).toThrow('takes a range of at, but')
})
