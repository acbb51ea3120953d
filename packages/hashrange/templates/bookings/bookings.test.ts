import { testDatabase } from 'hashrange/testing'
import { expect, test } from 'vitest'
import { bookings } from './bookings.model.ts'

const id = (n: number): string => String(n).padStart(26, '0')

test('a night is booked once, all nights of a booking or none', async () => {
  const { db, close } = await testDatabase(bookings)
  try {
    const placeId = id(1)
    await db.Place.create({ placeId, name: 'Lighthouse', city: 'porto' })
    const book = (bookingId: string, nights: readonly string[]): Promise<unknown> =>
      db.book((t) => [
        t.Place.check({ placeId }, { name: 'Lighthouse' }),
        t.Booking.create({
          bookingId,
          placeId,
          guestId: id(9),
          firstNight: nights[0] ?? '',
          nights: nights.length,
        }),
        ...nights.map((night) => t.Night.create({ placeId, night, bookingId })),
      ])
    await book(id(2), ['2026-06-01', '2026-06-02'])
    await expect(book(id(3), ['2026-06-02', '2026-06-03'])).rejects.toThrow()
    const { items } = await db.takenNights({ placeId, night: { from: '2026-06-01', to: '2026-06-30' } })
    expect(items.Night.map(({ night }) => night)).toEqual(['2026-06-01', '2026-06-02'])
    expect((await db.bookingsOfGuest({ guestId: id(9) })).items.Booking).toHaveLength(1)
  } finally {
    await close()
  }
})
