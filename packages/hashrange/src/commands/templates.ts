import { join } from 'node:path'
import { packageFolder } from '../package-folder.ts'

/** The models to start with. */
export const templates = {
  shop: 'customers, orders and order lines: one table, a sparse index of open orders, unique email addresses',
  music: 'artists, albums and songs: charts with write sharding, albums looked up by catalogue number',
  leaderboard: 'scores, best first: for each game, and for each country with a multi-attribute key',
  saas: 'tenants that see only their own data, users in projects (many to many), sessions that expire',
  chat: 'rooms, members and messages: a partition for each month of a room, read over its ends',
  sensors: 'devices and readings: a partition for each day of a device, the latest reading, hours summed up',
  bookings: 'places, nights and bookings: a night is booked once, all nights of a booking or none',
  ledger: 'accounts, entries and transfers: a transfer is made once, and balances follow in a transaction',
  documents: 'documents with revisions and comments: optimistic locking, old versions kept',
  feed: 'users, followers and posts: feeds that are written when somebody posts, and expire',
} as const

export type TemplateName = keyof typeof templates

export function isTemplate(word: string): word is TemplateName {
  return Object.hasOwn(templates, word)
}

/** They are files as they will be written, so they are checked like any other model. */
export function templateFolder(name: TemplateName): string {
  return join(packageFolder(), 'templates', name)
}
