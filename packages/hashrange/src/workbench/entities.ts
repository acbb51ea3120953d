import type { ModelledEntities } from '@hashrange/workbench/answers'
import type { ApiHandler } from './api-handler.ts'
import { modelsPath, operatorDenial } from './visitors/visitor.ts'

/** What the loaded models say about the items of each table: the entities, and the attribute that distinguishes them.
 *  A file that cannot be read says nothing; the model view shows why. */
export const entities: ApiHandler = async (
  { modelFiles },
  { visitor },
): Promise<Readonly<Record<string, ModelledEntities>>> => {
  // Colours are no reason to fail.
  if (operatorDenial(visitor, 'hashrange:Read', modelsPath) !== undefined) return {}
  const files = await modelFiles.list()
  const entries = files
    .flatMap(({ models }) => models)
    .flatMap(({ description }) =>
      description.tables.map(({ id, name, discriminator }) => {
        const own = description.entities.filter(({ table }) => table === id)
        return [name, { names: own.map((entity) => entity.name), discriminator }] as const
      }),
    )
  return Object.fromEntries(entries)
}
