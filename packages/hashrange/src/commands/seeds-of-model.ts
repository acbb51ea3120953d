import { modelSamples, putRequests } from '@hashrange/model/export'
import type { Seed, SeedItem } from '../seed/seed.ts'
import { loadModels } from './load-model.ts'
import { tablesOfModel } from './tables-of-model.ts'

/** Generated items for every entity of a model, always the same. */
export async function seedsOfModel(file: string): Promise<readonly Seed[]> {
  const designs = await tablesOfModel(file)
  const models = await loadModels(file)
  const items = new Map(
    models.flatMap((model) => Object.entries(putRequests(modelSamples(model)))).map(([name, puts]) => [name, puts]),
  )
  return designs.map((design): Seed => {
    const puts = (items.get(design.name) ?? []) as unknown as readonly {
      readonly PutRequest: { readonly Item: SeedItem }
    }[]
    return {
      tableName: design.name,
      origin: design.origin,
      design,
      items: () => puts.map(({ PutRequest }) => PutRequest.Item),
    }
  })
}
