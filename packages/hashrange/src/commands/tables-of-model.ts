import { createTableInputs } from '@hashrange/model/export'
import type { TableDesign } from '@hashrange/templates'
import { loadModels } from './load-model.ts'

/** The tables of the models in a file. */
export async function tablesOfModel(file: string): Promise<readonly TableDesign[]> {
  const models = await loadModels(file)
  return models.flatMap(({ description }) =>
    createTableInputs(description).map((create, n): TableDesign => {
      const { ttlAttribute, pointInTimeRecovery } = description.tables[n] ?? {}
      return {
        name: String(create.TableName),
        origin: `the model ${description.name} in ${file}`,
        // It is JSON but for its type.
        create: JSON.parse(JSON.stringify(create)) as TableDesign['create'],
        timeToLiveAttribute: ttlAttribute,
        recoveryDays: pointInTimeRecovery === true ? 35 : undefined,
        insights: false,
      }
    }),
  )
}
