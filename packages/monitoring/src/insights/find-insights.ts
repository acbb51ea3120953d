import { ServiceError } from '@hashrange/core'
import { type KeySchema, readTableName, type Scope } from '@hashrange/engine'
import { settingParts, type InsightsSetting } from '../records/insights-records.ts'
import type { Monitoring } from '../monitoring.ts'

export interface FoundInsights {
  readonly tableId: number
  readonly tableName: string
  readonly indexName: string | undefined
  readonly keySchema: KeySchema
  /** Undefined if it was never set, or belongs to a former table of the same name. */
  readonly setting: InsightsSetting | undefined
}

/** The table or global index that a request names. */
export async function findInsights(
  monitoring: Monitoring,
  scope: Scope,
  tableNameOrArn: string,
  indexName?: string,
): Promise<FoundInsights> {
  const tableName = readTableName(scope, tableNameOrArn)
  const definition = monitoring.definitionOf(scope, tableName)
  if (definition === undefined || definition.status === 'CREATING') {
    throw notFound(`Table: ${tableName} not found`)
  }
  const index = definition.globalIndexes.find((candidate) => candidate.indexName === indexName)
  if (indexName !== undefined && index === undefined) {
    throw notFound(`Index: ${indexName} not found for table: ${tableName}`)
  }
  const setting = await monitoring.insights.settings.get(scope, settingParts(tableName, indexName))
  return {
    tableId: definition.tableId,
    tableName,
    indexName,
    keySchema: index?.keySchema ?? definition.keySchema,
    setting: setting?.tableId === definition.tableId ? setting : undefined,
  }
}

function notFound(what: string): ServiceError {
  return new ServiceError('ResourceNotFoundException', `Requested resource not found: ${what}`)
}
