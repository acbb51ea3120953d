import { validationException } from '@hashrange/core'
import type { Scope, Throughput } from '@hashrange/engine'
import type { Monitoring } from '../monitoring.ts'

/** What auto scaling changes: the read or the write capacity of a table or a global index. */
export interface ScalableResource {
  readonly tableName: string
  readonly indexName: string | undefined
  readonly units: 'read' | 'write'
}

const dimensions = new Map<string, { readonly kind: 'table' | 'index'; readonly units: 'read' | 'write' }>([
  ['dynamodb:table:ReadCapacityUnits', { kind: 'table', units: 'read' }],
  ['dynamodb:table:WriteCapacityUnits', { kind: 'table', units: 'write' }],
  ['dynamodb:index:ReadCapacityUnits', { kind: 'index', units: 'read' }],
  ['dynamodb:index:WriteCapacityUnits', { kind: 'index', units: 'write' }],
])

/** `table/orders`, or `table/orders/index/by-customer`. */
export function readScalableResource(
  namespace: string,
  resourceId: string,
  scalableDimension: string,
): ScalableResource {
  const dimension = dimensions.get(scalableDimension)
  const [table, tableName, index, indexName, ...rest] = resourceId.split('/')
  const isTable = table === 'table' && tableName !== undefined && tableName !== '' && index === undefined
  const isIndex =
    table === 'table' &&
    tableName !== undefined &&
    index === 'index' &&
    indexName !== undefined &&
    indexName !== '' &&
    rest.length === 0
  if (namespace !== 'dynamodb' || dimension === undefined || !(dimension.kind === 'index' ? isIndex : isTable)) {
    throw validationException('Unsupported service namespace, resource type or scalable dimension')
  }
  return { tableName: tableName ?? '', indexName: isIndex ? indexName : undefined, units: dimension.units }
}

export function resourceIdOf(tableName: string, indexName: string | undefined): string {
  return indexName === undefined ? `table/${tableName}` : `table/${tableName}/index/${indexName}`
}

export function dimensionOf({ indexName, units }: Pick<ScalableResource, 'indexName' | 'units'>): string {
  return `dynamodb:${indexName === undefined ? 'table' : 'index'}:${units === 'read' ? 'Read' : 'Write'}CapacityUnits`
}

/** The provisioned throughput; undefined if there is no such table or index, or if it is on demand. */
export function provisionedThroughput(
  monitoring: Monitoring,
  scope: Scope,
  { tableName, indexName }: ScalableResource,
): Throughput | undefined {
  const definition = monitoring.definitionOf(scope, tableName)
  if (definition === undefined || definition.billing.mode !== 'PROVISIONED') return undefined
  if (indexName === undefined) return definition.billing.throughput
  return definition.globalIndexes.find((index) => index.indexName === indexName)?.throughput
}

export function capacityOf(monitoring: Monitoring, scope: Scope, resource: ScalableResource): number | undefined {
  const throughput = provisionedThroughput(monitoring, scope, resource)
  return resource.units === 'read' ? throughput?.readUnits : throughput?.writeUnits
}

export function assertExists(
  monitoring: Monitoring,
  scope: Scope,
  resource: ScalableResource,
  resourceId: string,
): void {
  const definition = monitoring.definitionOf(scope, resource.tableName)
  if (definition === undefined) throw validationException(`DynamoDB table does not exist: ${resourceId}`)
  const { indexName } = resource
  if (indexName === undefined) return
  if (definition.globalIndexes.every((index) => index.indexName !== indexName)) {
    throw validationException(`DynamoDB index does not exist: ${resourceId}`)
  }
}
