import { ServiceError, validationException } from '@hashrange/core'
import type { Scope } from '../scope.ts'

/** The name of the table that `TableName` refers to, which may be the table's ARN. */
export function readTableName(scope: Scope, nameOrArn: string): string {
  if (!nameOrArn.startsWith('arn:')) return nameOrArn
  const [, partition, service, region, accountId, resource = '', ...rest] = nameOrArn.split(':')
  const slash = resource.indexOf('/')
  const tableName = resource.slice(slash + 1)
  if (partition !== 'aws') throw invalidArn('partition', nameOrArn)
  if (region !== scope.region) throw invalidArn('region', nameOrArn)
  if (
    service !== 'dynamodb' ||
    resource.slice(0, slash) !== 'table' ||
    rest.length > 0 ||
    !isTableName(tableName)
  ) {
    throw validationException(`1 validation error detected: Invalid resource type in '${nameOrArn}'`)
  }
  if (accountId !== scope.accountId) throw accessDenied()
  return tableName
}

/** Tables of other accounts can only be reached if their resource policies allow it. */
export function accessDenied(): ServiceError {
  return new ServiceError('AccessDeniedException', 'Access is denied')
}

function isTableName(name: string): boolean {
  return /^[a-zA-Z0-9_.-]{3,255}$/.test(name)
}

function invalidArn(part: string, arn: string): ServiceError {
  return validationException(`1 validation error detected: Invalid AWS ${part} in '${arn}'`)
}
