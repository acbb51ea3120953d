import { mkdir, mkdtemp, realpath, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine } from '@hashrange/engine'
import type { ModelDescription } from '@hashrange/model'
import type { ModelFile } from '@hashrange/workbench/answers'
import type { JsonObject, WorkbenchContext } from '../../api-handler.ts'
import { unlimitedVisitor } from '../../visitors/visitor.ts'
import type { ModelLimits } from '../model-limits.ts'
import { ModelFiles } from '../model-files.ts'
import { models } from '../models.ts'

/** A folder of model files, and the workbench that asks about them. */
export class ModelFolder {
  readonly path: string
  #clock = 1_700_000_000

  private constructor(path: string) {
    this.path = path
  }

  static async open(): Promise<ModelFolder> {
    return new ModelFolder(await realpath(await mkdtemp(join(tmpdir(), 'hashrange-workbench-models-'))))
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true })
  }

  /** As an editor saves it: later than before, whatever the file system's clock can tell apart. */
  async put(name: string, text: string): Promise<string> {
    const file = join(this.path, name)
    await mkdir(join(file, '..'), { recursive: true })
    await writeFile(file, text)
    this.#clock += 1
    await utimes(file, this.#clock, this.#clock)
    return file
  }

  /** Asks as the page does. */
  desk(paths: readonly string[], { isFromHere = true, limits, ...options }: Desk = {}): Ask {
    const modelFiles = new ModelFiles(paths, { base: this.path, limits: { checkItems: 40, ...limits } })
    const context = { modelFiles, readOnly: false, remoteModels: false, ...options } as unknown as WorkbenchContext
    return async <Answer>(action: string, body: JsonObject = {}): Promise<Answer> =>
      (await models(context, {
        path: action === '' ? [] : [action],
        query: new URLSearchParams(),
        body,
        isFromHere,
        request: { method: 'POST', target: '/', body: Buffer.alloc(0) },
        visitor: unlimitedVisitor(undefined as unknown as Engine),
      })) as Answer
  }
}

export type Ask = <Answer>(action: string, body?: JsonObject) => Promise<Answer>

interface Desk {
  readonly readOnly?: boolean
  readonly remoteModels?: boolean
  readonly editModels?: boolean
  readonly isFromHere?: boolean
  readonly limits?: Partial<ModelLimits>
}

/** The list when everything in it is loaded. */
export async function loaded(ask: Ask): Promise<Listed> {
  for (;;) {
    const listed = await ask<Listed>('')
    if (listed.files.every(({ isLoading }) => !isLoading)) return listed
  }
}

export interface Listed {
  readonly version: string
  readonly unchanged?: boolean
  readonly files: readonly (ModelFile & {
    readonly models: readonly { readonly description: ModelDescription }[]
  })[]
}

export const notes = (
  limit = 25,
  from = "'USER#{userId}'",
): string => `import { entity, model, s } from '@hashrange/model'
const Note = entity('Note', { userId: s.ulid(), title: s.string(), noteId: s.int(), slug: s.string() })
  .key({ pk: 'USER#{userId}', sk: 'NOTE#{noteId:05}' })
  .unique('slug')
  .volume({ items: 100_000, perPartition: 20 })
export const notes = model({
  name: 'notes',
  entities: { Note },
  patterns: (p) => ({
    notesOf: p.query({ pk: ${from}, limit: ${limit}, traffic: { rate: 100 } }),
    bySlug: p.lookup('Note', 'slug'),
    write: p.put('Note', { traffic: { rate: 10 } }),
  }),
})
`
