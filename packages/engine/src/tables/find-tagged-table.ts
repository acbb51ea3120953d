import { ServiceError, validationException } from '@hashrange/core'
import type { Catalog } from '../catalog/catalog.ts'
import type { Table } from '../catalog/table.ts'
import type { Scope } from '../scope.ts'
import { invalidParameter } from './invalid-parameter.ts'
import { accessDenied } from './read-table-name.ts'

/** The table whose tags are meant. Here, unlike elsewhere, a table can only be named by its ARN. */
export function findTaggedTable(catalog: Catalog, scope: Scope, resourceArn: string): Table {
  const [prefix, , service, region, accountId, resource = '', ...rest] = resourceArn.split(':')
  if (prefix !== 'arn') throw invalidParameter(`ARNs must start with 'arn:': ${resourceArn}`)
  if (service !== 'dynamodb') throw invalidParameter(`Provided Arn is not a DynamoDB resource arn: ${resourceArn}`)
  const [kind, tableName = '', ...parts] = resource.split('/')
  const isStream = parts.length === 2 && parts[0] === 'stream'
  const isTable = parts.length === 0 && rest.length === 0
  if (kind !== 'table' || tableName === '' || !(isTable || isStream)) {
    throw invalidParameter(
      `Invalid resource arn provided, only table or stream is accepted. Provided resource arn: ${resourceArn}`,
    )
  }
  if (accountId !== scope.accountId) throw accessDenied()
  if (region !== scope.region) {
    throw validationException(`Invalid TableArn: Invalid ResourceArn provided as input ${resourceArn}`)
  }
  // The service accepts the ARN of a stream, and finds no tags for it.
  const table = isStream ? undefined : catalog.find(scope, tableName)
  if (table !== undefined && !table.isRestoring) return table
  throw new ServiceError(
    'ResourceNotFoundException',
    `Requested resource not found: ResourceArn: ${resourceArn} not found`,
  )
}
