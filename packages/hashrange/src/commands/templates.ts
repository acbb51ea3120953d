import { join } from 'node:path'
import { packageFolder } from '../package-folder.ts'

/** The models to start with. */
export const templates = {
  shop: 'customers, orders and order lines: one table, a sparse index of open orders, unique email addresses',
  music: 'artists, albums and songs: charts with write sharding, albums looked up by catalogue number',
  leaderboard: 'scores, best first: for each game, and for each country with a multi-attribute key',
  saas: 'tenants that see only their own data, users in projects (many to many), sessions that expire',
  chat: 'rooms, members and messages: one partition per room and month, and reads that continue across months',
  sensors: 'devices and readings: one partition per device and day, the latest reading, hourly totals',
  bookings: 'places, nights and bookings: no night is booked twice, and a booking gets all of its nights or none',
  ledger:
    'accounts, entries and transfers: each transfer happens once, and balances change in the same transaction',
  documents: 'documents with revisions and comments: optimistic locking, old versions kept',
  feed: 'users, followers and posts: feeds that are written when somebody posts, and that expire',
} as const

export type TemplateName = keyof typeof templates

export function isTemplate(word: string): word is TemplateName {
  return Object.hasOwn(templates, word)
}

/** They are files as they will be written, so they are checked like any other model. */
export function templateFolder(name: TemplateName): string {
  return join(packageFolder(), 'templates', name)
}
