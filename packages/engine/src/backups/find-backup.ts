import { ServiceError, validationException } from '@hashrange/core'
import type { Scope } from '../scope.ts'
import type { BackupCatalog } from './backup-catalog.ts'
import type { BackupDefinition } from './backup-definition.ts'

export interface BackupName {
  readonly region: string
  readonly tableName: string
  readonly backupId: string
}

/** Parses a backup's ARN: `arn:aws:dynamodb:eu-west-1:123456789012:table/music/backup/01489602797149-73d8d5bc`. */
export function readBackupArn(scope: Scope, arn: string): BackupName {
  const [prefix, partition, service, region = '', accountId, resource = '', ...rest] = arn.split(':')
  const [kind, tableName = '', folder, backupId = '', ...parts] = resource.split('/')
  if (
    prefix !== 'arn' ||
    kind !== 'table' ||
    folder !== 'backup' ||
    backupId === '' ||
    parts.length + rest.length > 0
  ) {
    throw validationException('Invalid Backup ARN')
  }
  if (partition !== 'aws' || service !== 'dynamodb' || !/^[a-z]{2}(-[a-z]+)+-\d$/.test(region)) {
    throw validationException('Invalid Request: BackupArn is not valid')
  }
  if (accountId !== scope.accountId) throw new ServiceError('AccessDeniedException', 'Access is denied')
  return { region, tableName, backupId }
}

/** The backup that an ARN names. Like the service, this looks in the region of the request, whatever the ARN says. */
export function findBackup(backups: BackupCatalog, scope: Scope, arn: string): BackupDefinition {
  const { tableName, backupId } = readBackupArn(scope, arn)
  const backup = backups.find(scope, tableName, backupId)
  if (backup === undefined) throw backupNotFound(arn)
  return backup
}

export function backupNotFound(arn: string): ServiceError {
  return new ServiceError('BackupNotFoundException', `Backup not found: ${arn}`)
}

export function backupInUse(message: string): ServiceError {
  return new ServiceError('BackupInUseException', message)
}
