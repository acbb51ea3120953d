import { connect } from '@hashrange/model'
import { derivedHandler, rebuildDerived, verifyDerived } from '@hashrange/model/derived'
import { testDatabase } from 'hashrange/testing'
import { expect, test } from 'vitest'
import { derived, reviews } from './reviews.model.ts'

test('a review is counted, ranked and found, wherever it goes', async () => {
  await using opened = await testDatabase(reviews)
  const { db, database, client } = opened
  await database.trigger('reviews', derivedHandler(derived, client))

  const { item: cup } = await db.addProduct({ name: 'Blue Cup' })
  const { productId } = cup
  const written = []
  for (const [author, stars] of [
    ['Ana', 5],
    ['Ben', 3],
    ['Cem', 4],
    ['Dia', 5],
  ] as const)
    written.push((await db.write({ productId, author, stars, text: 'Nice.' })).item)
  await database.settled()

  const rating = async () => (await db.productPage({ productId })).items.Rating[0]
  expect(await rating()).toMatchObject({ reviews: 4, stars: 17, mostStars: 5 })
  expect((await rating())?.best?.map(({ author }) => author)).toEqual(['Dia', 'Ana', 'Cem'])
  const total = await db.howMany({ name: 'reviews' })
  expect(total.items.Site.reduce((all, { count }) => all + count, 0)).toBe(4)

  await db.rename({ productId }, { name: 'Green cup' })
  for (const review of written.filter(({ stars }) => stars === 5)) await db.withdraw(review)
  await database.settled()
  expect(await rating()).toMatchObject({ reviews: 2, stars: 7, mostStars: 4 })
  expect((await db.search({ word: 'green' })).items.Word).toMatchObject([{ productId, name: 'Green cup' }])
  expect((await db.search({ word: 'blue' })).items.Word).toEqual([])
  const { items } = await db.bestReviews({ productId })
  expect(items.Review.map(({ author, productName }) => [author, productName])).toEqual([
    ['Cem', 'Green cup'],
    ['Ben', 'Green cup'],
  ])
  expect((await verifyDerived(derived, client)).differences).toEqual([])
})

test('what was there before is counted by a rebuild, beside the handler', async () => {
  await using opened = await testDatabase(reviews)
  const { database, client } = opened
  const db = connect(reviews, client)
  const { item: cup } = await db.addProduct({ name: 'Red cup' })
  const { productId } = cup
  await db.write({ productId, author: 'Ana', stars: 5, text: 'Nice.' })
  await database.trigger('reviews', derivedHandler(derived, client), { startingPosition: 'LATEST' })
  await Promise.all([
    rebuildDerived(derived, client),
    db.write({ productId, author: 'Ben', stars: 1, text: 'No.' }),
  ])
  await database.settled()
  expect((await db.productPage({ productId })).items.Rating).toMatchObject([{ reviews: 2, stars: 6 }])
  expect((await verifyDerived(derived, client)).differences).toEqual([])
})
