import { ServiceError, validationException } from '@hashrange/core'
import type { Scope } from '../scope.ts'

/** The identifier in the ARN of an export or import. */
export function readTransferArn(scope: Scope, arn: string, kind: 'export' | 'import'): string {
  const invalid = validationException(`Invalid ${kind === 'export' ? 'Export' : 'Import'} ARN`)
  const [prefix, partition, service, region, accountId, resource = '', ...rest] = arn.split(':')
  if (prefix !== 'arn') throw invalid
  if (partition !== 'aws' || service !== 'dynamodb' || accountId !== scope.accountId) {
    throw new ServiceError('AccessDeniedException', 'Access is denied')
  }
  if (region !== scope.region) {
    if (kind === 'export') throw new ServiceError('ExportNotFoundException', 'Export not found: Invalid export arn')
    throw new ServiceError('ImportNotFoundException', 'Import not found: Invalid import arn')
  }
  const [type, , word, id, ...parts] = resource.split('/')
  if (type !== 'table' || word !== kind || id === undefined || parts.length > 0 || rest.length > 0) throw invalid
  return id
}

/** A place in a list of jobs. Its form is the one that the service's own have: sixteen hexadecimal digits, repeated. */
export function encodePageToken(id: string): string {
  const bytes = Buffer.alloc(56)
  bytes.write(id)
  return bytes.toString('hex')
}

export function decodePageToken(token: string | undefined): string | undefined {
  if (token === undefined) return undefined
  const id = Buffer.from(token, 'hex').toString('latin1').replace(/\0+$/, '')
  if (!/^\d{14}-[0-9a-f]{1,8}$/.test(id))
    throw validationException(`Invalid Request: Provided nextToken is invalid: ${token}`)
  return id
}
