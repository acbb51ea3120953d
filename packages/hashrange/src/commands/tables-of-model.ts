import { cloudFormationTemplate, createTableInputs } from '@hashrange/model/export'
import { designOfType, objectOf, type Json, type TableDesign } from '@hashrange/templates'
import { loadModels } from './load-model.ts'

/** The tables of the models in a file. In a region, global tables have their replicas too. */
export async function tablesOfModel(file: string, region?: string): Promise<readonly TableDesign[]> {
  const models = await loadModels(file)
  return models.flatMap(({ description }) => {
    const resources = Object.values(objectOf(cloudFormationTemplate(description)['Resources'] as Json)).map(
      objectOf,
    )
    const origin = `the model ${description.name} in ${file}`
    return createTableInputs(description).map((create, n): TableDesign => {
      const name = String(create.TableName)
      const { ttlAttribute, pointInTimeRecovery, global } = description.tables[n] ?? {}
      if (global !== undefined && region !== undefined) {
        const { Properties } = resources[n] ?? {}
        return designOfType('AWS::DynamoDB::GlobalTable', name, origin, objectOf(Properties), region)
      }
      return {
        name,
        origin,
        // It is JSON but for its type.
        create: JSON.parse(JSON.stringify(create)) as TableDesign['create'],
        timeToLiveAttribute: ttlAttribute,
        recoveryDays: pointInTimeRecovery === true ? 35 : undefined,
        insights: false,
      }
    })
  })
}
