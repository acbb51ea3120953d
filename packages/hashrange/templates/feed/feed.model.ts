import { entity, model, now, s, secondsFromNow, ulid } from '@hashrange/model'

const User = entity('User', {
  userId: s.ulid().default(ulid),
  handle: s.string().size(12),
  followers: s.int().default(0),
})
  .key({ pk: 'USER#{userId}', sk: 'USER' })
  .unique('handle')
  .volume({ items: 500_000 })

/** Who follows whom, and through the index who is followed by whom. */
const Follow = entity('Follow', {
  followerId: s.ulid(),
  userId: s.ulid(),
  since: s.iso('second').default(now),
})
  .key({ pk: 'FOLLOWS#{followerId}', sk: '{userId}' })
  .index('followers', { pk: 'FOLLOWERS#{userId}', sk: '{followerId}' })
  .volume({ items: 20_000_000, perPartition: 40, maxPerPartition: 5000 })

const Post = entity('Post', {
  userId: s.ulid(),
  postId: s.ulid().default(ulid),
  text: s.string().size(140, 2000),
  postedAt: s.iso().default(now).readOnly(),
})
  .key({ pk: 'POSTS#{userId}', sk: '{postId}' })
  .volume({ items: 10_000_000, perPartition: 20, maxPerPartition: 20_000 })

/** A post in the feed of a follower, written when it is posted: reading a feed is then one query. Entries expire. */
const FeedEntry = entity('FeedEntry', {
  readerId: s.ulid(),
  postId: s.ulid(),
  userId: s.ulid(),
  expiresAt: s.ttl().default(secondsFromNow(30 * 86_400)),
})
  .key({ pk: 'FEED#{readerId}', sk: '{postId}' })
  .volume({ items: 100_000_000, perPartition: 200, maxPerPartition: 10_000 })

export const feed = model({
  name: 'feed',
  owner: 'social team',
  table: { indexes: { followers: { projection: 'KEYS_ONLY' } } },
  entities: { User, Follow, Post, FeedEntry },
  patterns: (p) => ({
    getUser: p.get('User', { traffic: { rate: 300 }, budget: { readUnits: 0.5 } }),
    userByHandle: p.lookup('User', 'handle', { traffic: { rate: 50 } }),
    readFeed: p.query({
      description: 'The newest first',
      pk: 'FEED#{readerId}',
      order: 'desc',
      limit: 30,
      traffic: { rate: 400, peakRate: 1500 },
      budget: { requests: 1 },
    }),
    posts: p.batchGet('Post', {
      description: 'The posts of a page of the feed',
      traffic: { rate: 400, items: 20 },
    }),
    postsOfUser: p.query({ pk: 'POSTS#{userId}', order: 'desc', limit: 20, traffic: { rate: 100 } }),
    following: p.query({ pk: 'FOLLOWS#{followerId}', limit: 100, traffic: { rate: 20 } }),
    followers: p.query({ on: 'followers', pk: 'FOLLOWERS#{userId}', limit: 100, traffic: { rate: 20 } }),
    register: p.create('User', { traffic: { rate: 1 } }),
    follow: p.transact({ 'Follow.create': 1, 'User.update': 1 }, { traffic: { rate: 5 } }),
    post: p.create('Post', { traffic: { rate: 10 } }),
    deliver: p.put('FeedEntry', { description: 'To each follower, in batches', traffic: { rate: 400 } }),
  }),
})
