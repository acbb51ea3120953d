import { ServiceError } from '@hashrange/core'
import type { KeySchema } from '../catalog/table-definition.ts'
import type { Engine } from '../engine.ts'
import type { Scope } from '../scope.ts'
import { readTableName } from '../tables/read-table-name.ts'
import { settingParts, type InsightsSetting } from './insights-records.ts'

export interface FoundInsights {
  readonly tableId: number
  readonly tableName: string
  readonly indexName: string | undefined
  readonly keySchema: KeySchema
  /** Nothing if it was never set, or of a former table of the same name. */
  readonly setting: InsightsSetting | undefined
}

/** The table or global index that a request names. */
export async function findInsights(
  engine: Engine,
  scope: Scope,
  tableNameOrArn: string,
  indexName?: string,
): Promise<FoundInsights> {
  const tableName = readTableName(scope, tableNameOrArn)
  const definition = engine.catalog.find(scope, tableName)?.definition
  if (definition === undefined || definition.status === 'CREATING') {
    throw notFound(`Table: ${tableName} not found`)
  }
  const index = definition.globalIndexes.find((candidate) => candidate.indexName === indexName)
  if (indexName !== undefined && index === undefined) {
    throw notFound(`Index: ${indexName} not found for table: ${tableName}`)
  }
  const setting = await engine.insights.settings.get(scope, settingParts(tableName, indexName))
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
