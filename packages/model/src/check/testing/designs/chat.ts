import { entity, model, now, s, secondsFromNow, ulid } from '../../../index.ts'

/** Chat: rooms with members, messages by time, read marks, and presence that expires. */
export const chat = () => {
  const Room = entity('Room', { roomId: s.ulid().default(ulid), title: s.string().size(20) })
    .key({ pk: 'ROOM#{roomId}', sk: 'ROOM' })
    .volume({ items: 1_000_000 })
  const Member = entity('Member', { roomId: s.ulid(), userId: s.ulid(), joinedAt: s.iso().default(now) })
    .key({ pk: 'ROOM#{roomId}', sk: 'MEMBER#{userId}' })
    .index('roomsOfUser', { pk: 'USER#{userId}', sk: 'ROOM#{roomId}' })
    .volume({ items: 8_000_000, perPartition: 8, maxPerPartition: 5_000 })
  const Message = entity('Message', {
    roomId: s.ulid(),
    messageId: s.ulid().default(ulid),
    author: s.ulid(),
    text: s.string().size(120),
    reactions: s.record(s.int()).count(1, 30),
  })
    .key({ pk: 'MESSAGES#{roomId}', sk: '{messageId}' })
    .volume({ items: 2_000_000_000, perPartition: 200, maxPerPartition: 1_000_000 })
  const ReadMark = entity('ReadMark', { userId: s.ulid(), roomId: s.ulid(), lastRead: s.ulid() })
    .key({ pk: 'USER#{userId}', sk: 'READ#{roomId}' })
    .volume({ items: 8_000_000, perPartition: 8, maxPerPartition: 1_000 })
  const Presence = entity('Presence', {
    userId: s.ulid(),
    device: s.enum('web', 'phone'),
    until: s.ttl().default(secondsFromNow(60)),
  })
    .key({ pk: 'USER#{userId}', sk: 'PRESENCE#{device}' })
    .volume({ items: 200_000, perPartition: 2, maxPerPartition: 2 })
  return model({
    name: 'chat',
    owner: 'team',
    entities: { Room, Member, Message, ReadMark, Presence },
    patterns: (p) => ({
      room: p.get('Room', { traffic: { rate: 200 } }),
      members: p.query({ pk: 'ROOM#{roomId}', sk: 'MEMBER#*', limit: 200, traffic: { rate: 50 } }),
      rooms: p.query({ on: 'roomsOfUser', pk: 'USER#{userId}', sk: 'ROOM#*', limit: 100, traffic: { rate: 100 } }),
      messages: p.query({
        pk: 'MESSAGES#{roomId}',
        range: 'messageId',
        order: 'desc',
        limit: 50,
        traffic: { rate: 500 },
      }),
      send: p.create('Message', { traffic: { rate: 300 } }),
      react: p.update('Message', { changes: ['reactions'], traffic: { rate: 50 } }),
      markRead: p.put('ReadMark', { traffic: { rate: 200 } }),
      marks: p.query({ pk: 'USER#{userId}', sk: 'READ#*', limit: 100, traffic: { rate: 100 } }),
      beat: p.put('Presence', { traffic: { rate: 500 } }),
      presence: p.query({ pk: 'USER#{userId}', sk: 'PRESENCE#*', traffic: { rate: 200 } }),
      createRoom: p.transact({ 'Room.create': 1, 'Member.create': 2 }, { traffic: { rate: 1 } }),
      leave: p.delete('Member', { traffic: { rate: 1 } }),
    }),
  })
}
