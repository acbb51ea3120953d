import { entity, model, now, s, ulid } from '@hashrange/model'

const Place = entity('Place', {
  placeId: s.ulid().default(ulid),
  name: s.string().size(24),
  city: s.string().size(12).distinct(300),
})
  .key({ pk: 'PLACE#{placeId}', sk: 'PLACE' })
  .index('byCity', { pk: 'CITY#{city}', sk: '{name}' })
  .volume({ items: 20_000 })

/** One night of a place. It exists once, so nobody can book it twice: whoever creates it second is refused. */
const Night = entity('Night', {
  placeId: s.ulid(),
  night: s.string().size(10).describe('2026-06-01'),
  bookingId: s.ulid(),
})
  .key({ pk: 'PLACE#{placeId}', sk: 'NIGHT#{night}' })
  .volume({ items: 2_000_000, perPartition: 100, maxPerPartition: 730 })

const Booking = entity('Booking', {
  bookingId: s.ulid().default(ulid),
  placeId: s.ulid(),
  guestId: s.ulid(),
  firstNight: s.string().size(10),
  nights: s.int().range(1, 30),
  status: s.enum('confirmed', 'cancelled').default('confirmed'),
  bookedAt: s.iso('second').default(now).readOnly(),
  version: s.version(),
})
  .key({ pk: 'BOOKING#{bookingId}', sk: 'BOOKING' })
  .index('ofGuest', { pk: 'GUEST#{guestId}', sk: '{firstNight}' })
  .index('ofPlace', { pk: 'PLACE#{placeId}', sk: '{firstNight}', when: { status: 'confirmed' } })
  .volume({ items: 700_000 })

export const bookings = model({
  name: 'bookings',
  owner: 'booking team',
  entities: { Place, Night, Booking },
  patterns: (p) => ({
    getPlace: p.get('Place', { traffic: { rate: 200 }, budget: { readUnits: 0.5 } }),
    placesInCity: p.query({ on: 'byCity', pk: 'CITY#{city}', limit: 50, traffic: { rate: 100 } }),
    takenNights: p.query({
      description: 'Which nights of a period are taken',
      pk: 'PLACE#{placeId}',
      sk: 'NIGHT#*',
      range: 'night',
      traffic: { rate: 100 },
      budget: { requests: 1 },
    }),
    bookingsOfGuest: p.query({
      on: 'ofGuest',
      pk: 'GUEST#{guestId}',
      order: 'desc',
      limit: 20,
      traffic: { rate: 30 },
    }),
    bookingsOfPlace: p.query({
      on: 'ofPlace',
      pk: 'PLACE#{placeId}',
      range: 'firstNight',
      limit: 50,
      traffic: { rate: 10 },
    }),
    getBooking: p.get('Booking', { traffic: { rate: 20 } }),
    addPlace: p.create('Place', { traffic: { rate: 0.1 } }),
    book: p.transact(
      { 'Place.check': 1, 'Booking.create': 1, 'Night.create': 3 },
      { description: 'All nights or none', traffic: { rate: 5, peakRate: 50 }, budget: { requests: 1 } },
    ),
    cancel: p.transact(
      { 'Booking.update': 1, 'Night.delete': 3 },
      { description: 'The nights are free again', traffic: { rate: 0.5 } },
    ),
  }),
})
