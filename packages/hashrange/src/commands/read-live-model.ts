import type { AnyModel } from '@hashrange/model'
import { liveModel, type LiveModel, type LiveTable } from '@hashrange/model/migration'
import { openClient } from './model-client.ts'

/** Items of one partition are neighbours, so the sample is taken from several parts of the table. */
const segments = 5
const usualSample = 500

/** What a model's tables hold now, from their descriptions and some of their items. */
export async function readLiveModel(
  model: AnyModel,
  endpoint: string,
  options: {
    readonly region: string | undefined
    readonly table: string | undefined
    readonly sample: number | undefined
  },
): Promise<LiveModel> {
  const client = openClient(endpoint, options.region)
  try {
    const tables: LiveTable[] = []
    for (const { id, name } of model.description.tables) {
      const TableName = options.table ?? name
      const { Table } = await client.describeTable({ TableName }).catch((error: unknown) => {
        if (error instanceof Error && error.name === 'ResourceNotFoundException') return { Table: undefined }
        throw error
      })
      if (Table === undefined) continue
      const items: LiveTable['items'][number][] = []
      for (let Segment = 0; Segment < segments; Segment++) {
        const Limit = Math.ceil((options.sample ?? usualSample) / segments)
        const { Items = [] } = await client.scan({ TableName, Segment, TotalSegments: segments, Limit })
        items.push(...Items)
      }
      tables.push({ id, description: { ...Table }, items })
    }
    return liveModel(model, tables)
  } finally {
    client.destroy()
  }
}
