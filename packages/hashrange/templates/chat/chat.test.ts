import { testDatabase } from 'hashrange/testing'
import { expect, test } from 'vitest'
import { chat } from './chat.model.ts'

const id = (n: number): string => String(n).padStart(26, '0')

test('messages come newest first, over the end of a month', async () => {
  const { db, close } = await testDatabase(chat)
  try {
    const [roomId, userId] = [id(1), id(2)]
    await db.openRoom((t) => [
      t.Room.create({ roomId, title: 'Lunch' }),
      t.Member.create({ roomId, userId }),
      t.Member.create({ roomId, userId: id(3) }),
    ])
    for (const sentAt of ['2026-05-31T23:59:00.000Z', '2026-06-01T00:01:00.000Z']) {
      await db.Message.create({ roomId, sentAt, userId, text: `at ${sentAt}` })
    }
    const newest: string[] = []
    const period = { from: '2026-05-01', to: '2026-06-30' }
    for await (const { item } of db.messages.iterate({ roomId, sentAt: period })) newest.push(item.text)
    expect(newest).toEqual(['at 2026-06-01T00:01:00.000Z', 'at 2026-05-31T23:59:00.000Z'])
    expect((await db.membersOfRoom({ roomId })).items.Member).toHaveLength(2)
  } finally {
    await close()
  }
})
