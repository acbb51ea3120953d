import { add } from '@hashrange/model'
import { testDatabase } from 'hashrange/testing'
import { expect, test } from 'vitest'
import { feed } from './feed.model.ts'

const id = (n: number): string => String(n).padStart(26, '0')

test('a post is in the feeds of followers, the newest first', async () => {
  const { db, close } = await testDatabase(feed)
  try {
    const [userId, readerId] = [id(1), id(2)]
    await db.User.create({ userId, handle: 'asha' })
    await db.follow((t) => [
      t.Follow.create({ followerId: readerId, userId }),
      t.User.update({ userId }, { followers: add(1) }),
    ])
    for (const postId of [id(11), id(12)]) {
      await db.Post.create({ userId, postId, text: `post ${postId}` })
      const { items } = await db.followers({ userId })
      await db.batchWrite((b) =>
        items.Follow.map(({ followerId }) => b.FeedEntry.put({ readerId: followerId, postId, userId })),
      )
    }
    const { items } = await db.readFeed({ readerId })
    expect(items.FeedEntry.map(({ postId }) => postId)).toEqual([id(12), id(11)])
    expect((await db.getUser({ userId })).item?.followers).toBe(1)
  } finally {
    await close()
  }
})
