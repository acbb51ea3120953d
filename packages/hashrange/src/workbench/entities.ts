import { stat } from 'node:fs/promises'
import { loadModels } from '../load-model.ts'
import type { ApiHandler } from './api-handler.ts'

export interface TableEntities {
  readonly names: readonly string[]
  readonly discriminator: string
}

/** What the model files say of the items of each table: the entities, and the attribute that tells them apart. A file that
 *  cannot be read says nothing; the view of the model shows why. */
export const entities: ApiHandler = async ({ models }): Promise<Readonly<Record<string, TableEntities>>> => {
  const found = await Promise.all(models.map((file) => entitiesIn(file).catch(() => [])))
  return Object.fromEntries(found.flat())
}

type Entries = readonly (readonly [string, TableEntities])[]

const known = new Map<string, { readonly changedMs: number; readonly entries: Entries }>()

async function entitiesIn(file: string): Promise<Entries> {
  const { mtimeMs } = await stat(file)
  const before = known.get(file)
  if (before?.changedMs === mtimeMs) return before.entries
  const entries: Entries = (await loadModels(file)).flatMap(({ description }) =>
    description.tables.map(({ id, name, discriminator }) => {
      const own = description.entities.filter(({ table }) => table === id)
      return [name, { names: own.map((entity) => entity.name), discriminator }] as const
    }),
  )
  known.set(file, { changedMs: mtimeMs, entries })
  return entries
}
