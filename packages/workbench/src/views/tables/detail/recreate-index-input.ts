import { isOnDemand } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'

/** The request that builds an index of a table again, as the description knows it. */
export function recreateIndexInput(
  table: TableDescription,
  indexName: string,
): Record<string, unknown> | undefined {
  const index = table.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === indexName)
  if (index === undefined) return undefined
  const { KeySchema, Projection, ProvisionedThroughput: throughput } = index
  const { ReadCapacityUnits = 1, WriteCapacityUnits = 1 } = throughput ?? {}
  return {
    TableName: table.TableName,
    AttributeDefinitions: table.AttributeDefinitions,
    GlobalSecondaryIndexUpdates: [
      {
        Create: {
          IndexName: indexName,
          KeySchema,
          Projection,
          ...(!isOnDemand(table) && { ProvisionedThroughput: { ReadCapacityUnits, WriteCapacityUnits } }),
        },
      },
    ],
  }
}
