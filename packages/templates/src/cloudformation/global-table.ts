import { isObject, listOf, objectOf, type Json, type JsonObject } from '../table-design.ts'
import { Unresolved } from '../unresolved.ts'
import { evaluate } from './evaluate.ts'
import type { Template } from './template.ts'

/** `AWS::DynamoDB::GlobalTable`, as the table in this region: what is declared for its replica holds, else for the first. */
export function globalTableProperties(properties: JsonObject, template: Template): JsonObject {
  const evaluated = evaluate(properties['Replicas'] ?? [], template)
  const replicas = evaluated instanceof Unresolved ? [] : listOf(evaluated).map(objectOf)
  const replica = replicas.find(({ Region }) => Region === template.options.region) ?? replicas[0] ?? {}
  const { Replicas: _, WriteProvisionedThroughputSettings, GlobalSecondaryIndexes, ...rest } = properties
  const isOnDemand = properties['BillingMode'] === 'PAY_PER_REQUEST'
  const indexSettings = listOf(replica['GlobalSecondaryIndexes']).map(objectOf)
  return {
    ...rest,
    ...(!isOnDemand && {
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: throughput(WriteProvisionedThroughputSettings, replica),
    }),
    ...(GlobalSecondaryIndexes !== undefined && {
      GlobalSecondaryIndexes: listOf(GlobalSecondaryIndexes).map((index): Json => {
        if (!isObject(index)) return index
        const { WriteProvisionedThroughputSettings: writes, ...declared } = index
        const own = indexSettings.find(({ IndexName }) => IndexName === index['IndexName']) ?? {}
        return { ...declared, ...(!isOnDemand && { ProvisionedThroughput: throughput(writes, own) }) }
      }),
    }),
    ...pick(replica, [
      'PointInTimeRecoverySpecification',
      'TableClass',
      'DeletionProtectionEnabled',
      'Tags',
      'ContributorInsightsSpecification',
      'ResourcePolicy',
    ]),
  }
}

/** Where capacity scales, a table begins with the least. */
function throughput(writes: Json | undefined, replica: JsonObject): Json {
  const { ReadCapacityUnits, ReadCapacityAutoScalingSettings } = objectOf(
    replica['ReadProvisionedThroughputSettings'],
  )
  const { WriteCapacityAutoScalingSettings } = objectOf(writes)
  return {
    ReadCapacityUnits: ReadCapacityUnits ?? objectOf(ReadCapacityAutoScalingSettings)['MinCapacity'] ?? 5,
    WriteCapacityUnits: objectOf(WriteCapacityAutoScalingSettings)['MinCapacity'] ?? 5,
  }
}

function pick(value: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])))
}
