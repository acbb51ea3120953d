import { expect, test } from 'vitest'
import { add, entity, model, now, s } from '../index.ts'
import { openModel } from '../testing/open-model.ts'

const Post = entity('Post', {
  id: s.string(),
  author: s.string(),
  title: s.string(),
  likes: s.int().default(0),
  createdAt: s.iso('second').default(now).readOnly(),
  updatedAt: s.iso('second').onWrite(now),
})
  .key({ pk: 'POST#{id}', sk: 'POST' })
  .index('recent', { pk: 'AUTHOR#{author}', sk: '{updatedAt}#{id}' })
const Named = entity('Named', { id: s.string(), name: s.string(), changedAt: s.date('second').onWrite(now) })
  .key({ pk: 'NAMED#{id}', sk: 'NAMED' })
  .unique('name')
const posts = model({
  name: 'posts',
  entities: { Post, Named },
  patterns: (p) => ({
    recent: p.query({ on: 'recent', pk: 'AUTHOR#{author}', order: 'desc' }),
    like: p.update('Post', { changes: ['likes'] }),
  }),
})

test('an attribute that is set on write says when the item last changed, in indexes too', async () => {
  const clock = { seconds: Date.UTC(2026, 0, 1) / 1000 }
  const { db } = await openModel(posts, { now: () => new Date(clock.seconds * 1000) })
  const at = async () => (await db.Post.get({ id: '1' })).item?.updatedAt
  const later = () => new Date(++clock.seconds * 1000).toISOString().replace('.000', '')

  await db.Post.create({ id: '1', author: 'ada', title: 'One' })
  await db.Post.create({ id: '2', author: 'ada', title: 'Two', updatedAt: '2026-01-01T00:00:30Z' })
  expect(await at()).toBe('2026-01-01T00:00:00Z')
  let expected = later()
  await db.like({ id: '1' }, { likes: add(1) })
  expect(await at()).toBe(expected)
  expected = later()
  await db.Post.modify({ id: '1' }, (post) => ({ ...post, title: 'Uno' }))
  expect(await at()).toBe(expected)
  // What changes nothing is no write.
  later()
  expect((await db.Post.modify({ id: '1' }, (post) => ({ ...post }))).cost.writeUnits).toBe(0)
  expect(await at()).toBe(expected)
  const { item } = await db.Post.get({ id: '1' })
  expected = later()
  if (item !== undefined) await db.Post.put({ ...item, likes: 7 })
  expect(await at()).toBe(expected)
  expected = later()
  await db.Post.upsert({ id: '1', author: 'ada', title: 'Eins' })
  expect((await db.Post.get({ id: '1' })).item).toMatchObject({
    updatedAt: expected,
    createdAt: '2026-01-01T00:00:00Z',
    likes: 7,
  })
  clock.seconds += 60
  await db.like({ id: '1' }, { likes: 1 })
  expect((await db.recent({ author: 'ada' })).items.Post.map(({ id }) => id)).toEqual(['1', '2'])
  await db.Post.update({ id: '1' }, { updatedAt: '2025-01-01T00:00:00Z' })
  expect((await db.recent({ author: 'ada' })).items.Post.map(({ id }) => id)).toEqual(['2', '1'])
})

test('it is set beside guards and in transactions', async () => {
  const clock = { seconds: Date.UTC(2026, 0, 1) / 1000 }
  const { db } = await openModel(posts, { now: () => new Date(clock.seconds * 1000) })
  await db.Named.create({ id: '1', name: 'a' })
  clock.seconds += 5
  await db.transact((t) => [t.Named.update({ id: '1' }, { name: 'b' })])
  expect((await db.Named.get({ id: '1' })).item?.changedAt).toEqual(new Date(clock.seconds * 1000))
})
