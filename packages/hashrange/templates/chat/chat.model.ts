import { entity, model, now, s, ulid } from '@hashrange/model'

const Room = entity('Room', {
  roomId: s.ulid().default(ulid),
  title: s.string().size(24),
  createdAt: s.iso('second').default(now).readOnly(),
})
  .key({ pk: 'ROOM#{roomId}', sk: 'ROOM' })
  .volume({ items: 200_000 })

/** Many to many: the rooms of a user, and through the index the members of a room. */
const Member = entity('Member', {
  userId: s.ulid(),
  roomId: s.ulid(),
  /** The last message that the user has seen. */
  readUpTo: s.ulid().optional(),
})
  .key({ pk: 'USER#{userId}', sk: 'ROOM#{roomId}' })
  .index('members', { pk: 'ROOM#{roomId}', sk: 'USER#{userId}' })
  .volume({ items: 1_000_000, perPartition: 5, maxPerPartition: 500 })

/** A room's messages of one month share a partition key, so that a room that lives for years does not grow into one
 *  huge item collection. */
const Message = entity('Message', {
  roomId: s.ulid(),
  sentAt: s.iso().default(now),
  messageId: s.ulid().default(ulid),
  userId: s.ulid(),
  text: s.string().size(120, 4000),
})
  .key({ pk: 'ROOM#{roomId}#{sentAt:month}', sk: '{sentAt}#{messageId}' })
  .volume({ items: 50_000_000, perPartition: 100, maxPerPartition: 50_000 })

export const chat = model({
  name: 'chat',
  owner: 'messaging team',
  table: { indexes: { members: { projection: 'KEYS_ONLY' } } },
  entities: { Room, Member, Message },
  patterns: (p) => ({
    getRoom: p.get('Room', { traffic: { rate: 100 }, budget: { readUnits: 0.5 } }),
    roomsOfUser: p.query({ pk: 'USER#{userId}', sk: 'ROOM#*', limit: 50, traffic: { rate: 100 } }),
    membersOfRoom: p.query({
      on: 'members',
      pk: 'ROOM#{roomId}',
      sk: 'USER#*',
      limit: 100,
      traffic: { rate: 50 },
    }),
    messages: p.query({
      description: 'Newest first, month by month',
      pk: 'ROOM#{roomId}#{sentAt:month}',
      range: 'sentAt',
      order: 'desc',
      limit: 50,
      traffic: { rate: 300, peakRate: 1000 },
    }),
    openRoom: p.transact({ 'Room.create': 1, 'Member.create': 2 }, { traffic: { rate: 1 } }),
    join: p.create('Member', { traffic: { rate: 2 } }),
    leave: p.delete('Member', { traffic: { rate: 1 } }),
    send: p.create('Message', { traffic: { rate: 200, peakRate: 800 }, budget: { requests: 1, writeUnits: 1 } }),
    markRead: p.update('Member', { changes: ['readUpTo'], traffic: { rate: 200 } }),
  }),
})
