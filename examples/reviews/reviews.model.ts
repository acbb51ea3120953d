import { entity, model, now, s, ulid } from '@hashrange/model'
import { copy, count, derive, entries, marks, max, sum, topN } from '@hashrange/model/derived'

export const Product = entity('Product', {
  productId: s.ulid().default(ulid),
  name: s.string().size(30),
})
  .key({ pk: 'PRODUCT#{productId}', sk: 'PRODUCT' })
  .volume({ items: 20_000 })

/** The sort key begins with the stars, so that the best reviews of a product are the last of its collection. */
export const Review = entity('Review', {
  productId: s.ulid(),
  reviewId: s.ulid().default(ulid),
  stars: s.int().range(1, 5),
  author: s.string().size(15),
  text: s.string().size(300),
  writtenAt: s.iso('second').default(now),
  /** A copy: lists of reviews show it. */
  productName: s.string().size(30).optional(),
})
  .key({ pk: 'REVIEWS#{productId}', sk: '{stars:01}#{reviewId}' })
  .volume({ items: 400_000, perPartition: 20, maxPerPartition: 4000 })

/** What a product's page shows first: in one item, read with one request. */
export const Rating = entity('Rating', {
  productId: s.ulid(),
  reviews: s.int().default(0),
  stars: s.int().default(0),
  mostStars: s.int().optional(),
  best: s
    .list(s.map({ author: s.string().size(15), stars: s.int() }))
    .count(3, 3)
    .optional(),
})
  .key({ pk: 'PRODUCT#{productId}', sk: 'RATING' })
  .volume({ items: 20_000 })

/** How many reviews there are in all. One item would be too busy. */
export const Site = entity('Site', { name: s.enum('reviews'), shard: s.shard(8), count: s.int().default(0) })
  .key({ pk: 'SITE#{name}#{shard}', sk: 'SITE' })
  .volume({ items: 8 })

/** A product under each word of its name. */
export const Word = entity('Word', { word: s.string().size(8), productId: s.ulid(), name: s.string().size(30) })
  .key({ pk: 'WORD#{word}', sk: 'PRODUCT#{productId}' })
  .volume({ items: 60_000, perPartition: 6, maxPerPartition: 500 })

export const Mark = marks()

export const reviews = model({
  name: 'reviews',
  owner: 'shop',
  table: { stream: 'NEW_AND_OLD_IMAGES' },
  entities: { Product, Review, Rating, Site, Word, Mark },
  patterns: (p) => ({
    productPage: p.query({ pk: 'PRODUCT#{productId}', limit: 10, traffic: { rate: 200 } }),
    bestReviews: p.query({ pk: 'REVIEWS#{productId}', order: 'desc', limit: 20, traffic: { rate: 50 } }),
    search: p.query({ pk: 'WORD#{word}', limit: 20, traffic: { rate: 40 } }),
    howMany: p.query({ pk: 'SITE#{name}#{shard}', traffic: { rate: 1 } }),
    addProduct: p.create('Product', { traffic: { rate: 0.1 } }),
    rename: p.update('Product', { changes: ['name'], traffic: { rate: 0.1 } }),
    write: p.create('Review', { traffic: { rate: 60 } }),
    withdraw: p.delete('Review', { traffic: { rate: 1 } }),
  }),
})

export const derived = derive(
  reviews,
  {
    reviewsOfProduct: count(Review, { by: 'productId', into: Rating, set: 'reviews' }),
    starsOfProduct: sum(Review, 'stars', { by: 'productId', into: Rating, set: 'stars' }),
    reviewsInAll: count(Review, { by: () => ({ name: 'reviews' as const }), into: Site, set: 'count' }),
    mostStars: max(Review, 'stars', { by: 'productId', into: Rating, set: 'mostStars', via: 'bestReviews' }),
    bestOfProduct: topN(Review, 3, {
      by: 'productId',
      into: Rating,
      set: 'best',
      via: 'bestReviews',
      each: ({ author, stars }) => ({ author, stars }),
    }),
    nameInReviews: copy(Product, { into: Review, attributes: { name: 'productName' }, via: 'bestReviews' }),
    words: entries(Product, {
      into: Word,
      make: ({ productId, name }) => wordsOf(name).map((word) => ({ word, productId, name })),
    }),
  },
  { marks: Mark },
)

/** In lower case, each once. */
function wordsOf(name: string): readonly string[] {
  return [...new Set(name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])]
}
