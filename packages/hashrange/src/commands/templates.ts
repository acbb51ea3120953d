import { join } from 'node:path'
import { packageFolder } from '../package-folder.ts'

/** The models that one can begin with. */
export const templates = {
  shop: 'customers, orders and their lines: one table, a sparse index of open orders, unique e-mail addresses',
  music: 'artists, albums, songs: charts spread over shards, albums found by a number of the label',
  leaderboard: 'scores in order, best first: for a game, and by country with a multi-attribute key',
  saas: 'tenants that see only their own, users in projects (many to many), sessions that expire',
} as const

export type TemplateName = keyof typeof templates

export function isTemplate(word: string): word is TemplateName {
  return Object.hasOwn(templates, word)
}

/** They are files as they will be written, so that they are checked like any other model. */
export function templateFolder(name: TemplateName): string {
  return join(packageFolder(), 'templates', name)
}
