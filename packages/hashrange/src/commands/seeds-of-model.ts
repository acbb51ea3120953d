import type { Derived } from '@hashrange/model/derived'
import { modelSamples, putRequests } from '@hashrange/model/export'
import type { Seed, SeedItem } from '../seed/seed.ts'
import { loadDerived, loadModels } from './load-model.ts'
import { tablesOfModel } from './tables-of-model.ts'

/** Generated items for every entity of a model, always the same. What is derived is left to those who derive it: made up,
 *  it would be wrong, and made up marks could not even be read. */
export async function seedsOfModel(file: string): Promise<readonly Seed[]> {
  const designs = await tablesOfModel(file)
  const models = await loadModels(file)
  const derived = new Set((await loadDerived(file)).flatMap(entitiesOf))
  const items = new Map(
    models.flatMap((model) =>
      Object.entries(
        putRequests(modelSamples(model).filter(({ kind }) => !derived.has(kind.split('.')[0] ?? kind))),
      ),
    ),
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

/** Copies are attributes of items that exist by themselves. */
function entitiesOf({ marks, derivations }: Derived): readonly string[] {
  const targets = [...derivations.values()].flatMap((each) => (each.kind === 'copy' ? [] : [each.target]))
  return marks === undefined ? targets : [marks, ...targets]
}
