import { entity, model, now, s, ulid } from '../../../index.ts'

/** Bookings: a slot can be taken once, by the key itself; guests find theirs, and a room its day. */
export const bookings = () => {
  const Room = entity('Room', { hotel: s.ulid(), room: s.int().range(1, 9_999), beds: s.int().range(1, 6) })
    .key({ pk: 'HOTEL#{hotel}', sk: 'ROOM#{room:04}' })
    .volume({ items: 200_000, perPartition: 100, maxPerPartition: 2_000 })
  const Night = entity('Night', {
    hotel: s.ulid(),
    room: s.int().range(1, 9_999),
    night: s.iso('day'),
    bookingId: s.ulid(),
  })
    .key({ pk: 'NIGHTS#{hotel}#{night}', sk: 'ROOM#{room:04}' })
    .volume({ items: 50_000_000, perPartition: 80, maxPerPartition: 2_000 })
  const Booking = entity('Booking', {
    bookingId: s.ulid().default(ulid),
    guest: s.ulid(),
    hotel: s.ulid(),
    from: s.iso('day'),
    to: s.iso('day'),
    state: s.enum('held', 'confirmed', 'cancelled'),
    bookedAt: s.iso().default(now),
  })
    .key({ pk: 'BOOKING#{bookingId}', sk: 'BOOKING' })
    .index('ofGuest', { pk: 'GUEST#{guest}', sk: '{from}#{bookingId}' })
    .index('arrivals', { pk: 'ARRIVALS#{hotel}#{from}', sk: '{bookingId}', when: { state: 'confirmed' } })
    .volume({ items: 10_000_000 })
  return model({
    name: 'bookings',
    owner: 'team',
    entities: { Room, Night, Booking },
    patterns: (p) => ({
      rooms: p.query({ pk: 'HOTEL#{hotel}', sk: 'ROOM#*', limit: 200, traffic: { rate: 20 } }),
      taken: p.query({ pk: 'NIGHTS#{hotel}#{night}', limit: 500, traffic: { rate: 200 } }),
      book: p.transact({ 'Booking.create': 1, 'Night.create': 3 }, { traffic: { rate: 10 } }),
      cancel: p.transact({ 'Booking.modify': 1, 'Night.delete': 3 }, { traffic: { rate: 2 } }),
      booking: p.get('Booking', { consistent: true, traffic: { rate: 50 } }),
      ofGuest: p.query({
        on: 'ofGuest',
        pk: 'GUEST#{guest}',
        range: 'from',
        order: 'desc',
        limit: 20,
        traffic: { rate: 20 },
      }),
      arrivals: p.query({ on: 'arrivals', pk: 'ARRIVALS#{hotel}#{from}', limit: 200, traffic: { rate: 5 } }),
      confirm: p.modify('Booking', { changes: ['state'], traffic: { rate: 8 } }),
      night: p.get('Night', { traffic: { rate: 20 } }),
    }),
  })
}
