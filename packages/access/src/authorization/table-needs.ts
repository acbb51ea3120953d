import { readInput, type UntypedInput } from '@hashrange/engine'
import type { ContextValues } from '../policies/context-values.ts'
import type { AskedOperation, Need, NeedsOf } from './need.ts'
import { resourceOf } from './page-needs.ts'
import { removedTagKeys, requestTagKeys } from './tag-keys.ts'
import { dynamodbArn, tableOfArn, tableReference } from './table-reference.ts'

/** What the operations on tables, and on what belongs to them, need. */
export const tableNeeds: Readonly<Record<string, NeedsOf>> = {
  CreateTable: (asked) => {
    const input = readInput('CreateTable', asked.body)
    const keys = requestTagKeys(input.Tags)
    const on = (action: string): Need => onTable(asked, action, input.TableName, keys)
    return [
      on('dynamodb:CreateTable'),
      // What is done with it besides needs its own permission.
      ...(input.Tags === undefined || input.Tags.length === 0 ? [] : [on('dynamodb:TagResource')]),
      ...(input.ResourcePolicy === undefined ? [] : [on('dynamodb:PutResourcePolicy')]),
    ]
  },

  UpdateTable: (asked) => {
    const input: UntypedInput = readInput<string>('UpdateTable', asked.body)
    const tableName = String(input['TableName'])
    const updates = (input['ReplicaUpdates'] ?? []) as readonly Readonly<Record<string, unknown>>[]
    const on = (action: string): Need => onTable(asked, action, tableName)
    return [
      on('dynamodb:UpdateTable'),
      ...(updates.some((update) => 'Create' in update) ? [on('dynamodb:CreateTableReplica')] : []),
      ...(updates.some((update) => 'Delete' in update) ? [on('dynamodb:DeleteTableReplica')] : []),
    ]
  },

  ...onNamedTable(
    'CreateBackup',
    'DeleteTable',
    'DescribeContinuousBackups',
    'DescribeKinesisStreamingDestination',
    'DescribeTable',
    'DescribeTableReplicaAutoScaling',
    'DescribeTimeToLive',
    'DisableKinesisStreamingDestination',
    'EnableKinesisStreamingDestination',
    'UpdateContinuousBackups',
    'UpdateKinesisStreamingDestination',
    'UpdateTableReplicaAutoScaling',
    'UpdateTimeToLive',
  ),

  ...onNamedIndex('DescribeContributorInsights', 'SearchVectors', 'UpdateContributorInsights'),

  ...onGivenArn('BackupArn', 'DeleteBackup', 'DescribeBackup'),
  ...onGivenArn('ExportArn', 'DescribeExport'),
  ...onGivenArn('ImportArn', 'DescribeImport'),
  ...onGivenArn('StreamArn', 'DescribeStream', 'GetShardIterator'),
  ...onGivenArn('ResourceArn', 'ListTagsOfResource'),
  ...onPolicyHolder('PutResourcePolicy', 'GetResourcePolicy', 'DeleteResourcePolicy'),

  TagResource: (asked) => {
    const input = readInput('TagResource', asked.body)
    return [onArn('dynamodb:TagResource', input.ResourceArn, requestTagKeys(input.Tags))]
  },

  UntagResource: (asked) => {
    const input = readInput('UntagResource', asked.body)
    return [onArn('dynamodb:UntagResource', input.ResourceArn, removedTagKeys(input.TagKeys))]
  },

  // The iterator begins with the stream that it was made for, which is also the one that is read.
  GetRecords: ({ body }) => {
    const input = readInput('GetRecords', body)
    return [onArn('dynamodb:GetRecords', input.ShardIterator.split('|', 1)[0] ?? '')]
  },

  ListStreams: ({ scope, body }) => {
    const input = readInput('ListStreams', body)
    const table = tableReference(scope, input.TableName ?? '*')
    const isOne = input.TableName !== undefined
    return [{ action: 'dynamodb:ListStreams', resource: `${table.arn}/stream/*`, ...(isOne && { table }) }]
  },

  ListTables: ({ scope, body }) => {
    readInput('ListTables', body)
    return [{ action: 'dynamodb:ListTables', resource: `${dynamodbArn(scope)}table/*` }]
  },

  ...onEverything(
    'DescribeEndpoints',
    'DescribeLimits',
    'ListBackups',
    'ListContributorInsights',
    'ListExports',
    'ListGlobalTables',
    'ListImports',
  ),

  // The source is read as a whole, and the target filled: the one needs the restore, the other what fills it.
  RestoreTableFromBackup: (asked) => {
    const input = readInput('RestoreTableFromBackup', asked.body)
    return [onArn('dynamodb:RestoreTableFromBackup', input.BackupArn), ...filling(asked, input.TargetTableName)]
  },

  RestoreTableToPointInTime: (asked) => {
    const input = readInput('RestoreTableToPointInTime', asked.body)
    const source = input.SourceTableArn ?? input.SourceTableName ?? ''
    return [onTable(asked, 'dynamodb:RestoreTableToPointInTime', source), ...filling(asked, input.TargetTableName)]
  },

  /** Items go to where their reader may write, and come from where they may read: in the bucket below the prefix, whatever it is called there. */
  ExportTableToPointInTime: ({ body }) => {
    const { TableArn, S3Bucket, S3Prefix = '' } = readInput('ExportTableToPointInTime', body)
    const below = S3Prefix === '' || S3Prefix.endsWith('/') ? S3Prefix : `${S3Prefix}/`
    return [
      onArn('dynamodb:ExportTableToPointInTime', TableArn),
      { action: 's3:PutObject', resource: `arn:aws:s3:::${S3Bucket}/${below}AWSDynamoDB/*` },
    ]
  },

  ImportTable: (asked) => {
    const input = readInput('ImportTable', asked.body)
    const { S3Bucket, S3KeyPrefix = '' } = input.S3BucketSource
    return [
      onTable(asked, 'dynamodb:ImportTable', input.TableCreationParameters.TableName),
      { action: 's3:ListBucket', resource: `arn:aws:s3:::${S3Bucket}` },
      { action: 's3:GetObject', resource: `arn:aws:s3:::${S3Bucket}/${S3KeyPrefix}*` },
    ]
  },

  ...onGlobalTable(
    'CreateGlobalTable',
    'UpdateGlobalTable',
    'UpdateGlobalTableSettings',
    'DescribeGlobalTable',
    'DescribeGlobalTableSettings',
  ),
}

function onTable({ scope }: AskedOperation, action: string, tableName: string, keys?: ContextValues): Need {
  const table = tableReference(scope, tableName)
  return { action, resource: table.arn, table, ...(keys && { keys }) }
}

function onArn(action: string, arn: string, keys?: ContextValues): Need {
  const table = tableOfArn(arn)
  return { action, resource: arn, ...(table && { table }), ...(keys && { keys }) }
}

function onNamedTable(...operations: readonly string[]): Readonly<Record<string, NeedsOf>> {
  return each(operations, (name, asked) => {
    const input: UntypedInput = readInput(name, asked.body)
    return [onTable(asked, `dynamodb:${name}`, String(input['TableName']))]
  })
}

function onNamedIndex(...operations: readonly string[]): Readonly<Record<string, NeedsOf>> {
  return each(operations, (name, { scope, body }) => {
    const input: UntypedInput = readInput(name, body)
    const table = tableReference(scope, String(input['TableName']))
    const indexName = input['IndexName']
    const resource = resourceOf(table, typeof indexName === 'string' ? indexName : undefined)
    return [{ action: `dynamodb:${name}`, resource, table }]
  })
}

function onGivenArn(member: string, ...operations: readonly string[]): Readonly<Record<string, NeedsOf>> {
  return each(operations, (name, { body }) => {
    const input: UntypedInput = readInput(name, body)
    return [onArn(`dynamodb:${name}`, String(input[member]))]
  })
}

/** Policies are their owner's business: where another account's table is named, the operation itself says so. */
function onPolicyHolder(...operations: readonly string[]): Readonly<Record<string, NeedsOf>> {
  return each(operations, (name, { scope, body }) => {
    const input: UntypedInput = readInput(name, body)
    const need = onArn(`dynamodb:${name}`, String(input['ResourceArn']))
    const { table, ...unowned } = need
    return [table?.accountId === scope.accountId ? need : unowned]
  })
}

function onEverything(...operations: readonly string[]): Readonly<Record<string, NeedsOf>> {
  return each(operations, (name, { body }) => {
    readInput<string>(name, body)
    return [{ action: `dynamodb:${name}`, resource: '*' }]
  })
}

function onGlobalTable(...operations: readonly string[]): Readonly<Record<string, NeedsOf>> {
  return each(operations, (name, asked) => {
    const input: UntypedInput = readInput(name, asked.body)
    const tableName = String(input['GlobalTableName'])
    const resource = `arn:aws:dynamodb::${asked.scope.accountId}:global-table/${tableName}`
    const need: Need = { action: `dynamodb:${name}`, resource }
    return name.startsWith('Describe') ? [need] : [need, onTable(asked, need.action, tableName)]
  })
}

const fillingActions = ['BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'Scan', 'UpdateItem']

function filling(asked: AskedOperation, targetTableName: string): readonly Need[] {
  return fillingActions.map((action) => onTable(asked, `dynamodb:${action}`, targetTableName))
}

function each(
  operations: readonly string[],
  needs: (name: string, asked: AskedOperation) => readonly Need[],
): Readonly<Record<string, NeedsOf>> {
  return Object.fromEntries(operations.map((name) => [name, (asked: AskedOperation) => needs(name, asked)]))
}
