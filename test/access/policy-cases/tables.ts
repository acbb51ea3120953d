import { account, allow, arn, get, on, policy, scores, type CaseGroup, type CaseRequest } from './policy-case.ts'

/** What the operations on tables are about, by the Service Authorization Reference; and tags. */
export const tableCases: readonly CaseGroup[] = [
  {
    about: 'tables: what each operation is about, by the Service Authorization Reference',
    identity: [
      policy(
        allow(
          [
            'dynamodb:DescribeTable',
            'dynamodb:CreateTable',
            'dynamodb:UpdateTimeToLive',
            'dynamodb:ListTagsOfResource',
            'dynamodb:ExportTableToPointInTime',
          ],
          `${arn}:table/Game*`,
        ),
        allow(['dynamodb:ListTables', 'dynamodb:DescribeLimits', 'dynamodb:ImportTable']),
        allow(['s3:PutObject', 's3:GetObject'], 'arn:aws:s3:::bucket/ours/*'),
        allow(['s3:ListBucket'], 'arn:aws:s3:::bucket'),
      ),
    ],
    requests: [
      ['describe', on('DescribeTable', { TableName: 'GameScores' }), 'allowed'],
      ['describe by ARN', on('DescribeTable', { TableName: scores }), 'allowed'],
      ['describe one that does not exist', on('DescribeTable', { TableName: 'GameOver' }), 'allowed'],
      ['describe another', on('DescribeTable', { TableName: 'Music' }), 'implicit-deny'],
      ['list', on('ListTables'), 'allowed'],
      ['limits', on('DescribeLimits'), 'allowed'],
      ['list of streams', on('ListStreams', {}), 'implicit-deny'],
      ['tags', on('ListTagsOfResource', { ResourceArn: scores }), 'allowed'],
      [
        'export',
        on('ExportTableToPointInTime', { TableArn: scores, S3Bucket: 'bucket', S3Prefix: 'ours' }),
        'allowed',
      ],
      [
        'export to where they may not write',
        on('ExportTableToPointInTime', { TableArn: scores, S3Bucket: 'bucket' }),
        'implicit-deny',
      ],
      ['import', importFrom('bucket', 'ours/data/'), 'allowed'],
      ['import of what they may not read', importFrom('bucket', 'our'), 'implicit-deny'],
      ['import of another bucket', importFrom('another', 'ours/'), 'implicit-deny'],
      ['create', create('GameNew'), 'allowed'],
      ['create elsewhere', create('Chess'), 'implicit-deny'],
      [
        'create with a tag, which needs TagResource',
        create('GameTagged', { Tags: [{ Key: 'a', Value: 'b' }] }),
        'implicit-deny',
      ],
      ['delete', on('DeleteTable', { TableName: 'GameScores' }), 'implicit-deny'],
    ],
  },
  {
    about: 'tags: a new table must be tagged with the team',
    identity: [
      policy(
        allow(['dynamodb:CreateTable', 'dynamodb:TagResource'], '*', {
          StringEquals: { 'aws:RequestTag/team': ['red', 'blue'] },
          'ForAllValues:StringEquals': { 'aws:TagKeys': ['team', 'stage'] },
        }),
      ),
    ],
    requests: [
      ['with the team', create('Tagged1', { Tags: [{ Key: 'team', Value: 'red' }] }), 'allowed'],
      ['with another team', create('Tagged2', { Tags: [{ Key: 'team', Value: 'green' }] }), 'implicit-deny'],
      ['without', create('Tagged3'), 'implicit-deny'],
      [
        'with the team and something else',
        create('Tagged4', {
          Tags: [
            { Key: 'team', Value: 'red' },
            { Key: 'boss', Value: 'x' },
          ],
        }),
        'implicit-deny',
      ],
    ],
  },
  {
    about: 'tags: of the table, and of the principal',
    tags: { team: 'red' },
    identity: [
      policy(allow('dynamodb:*', '*', { StringEquals: { 'aws:ResourceTag/team': '${aws:PrincipalTag/team}' } })),
    ],
    requests: [
      ['a table of the team', get(), 'allowed'],
      ['another table', on('DescribeTable', { TableName: 'Music' }), 'implicit-deny'],
      ['a table that does not exist', on('DescribeTable', { TableName: 'Missing' }), 'implicit-deny'],
    ],
  },
  {
    about: 'regions and accounts in ARNs',
    identity: [policy(allow('dynamodb:GetItem', `arn:aws:dynamodb:eu-west-1:${account}:table/GameScores`))],
    requests: [['another region', get(), 'implicit-deny']],
  },
]

function importFrom(S3Bucket: string, S3KeyPrefix: string): CaseRequest {
  return on('ImportTable', {
    S3BucketSource: { S3Bucket, S3KeyPrefix },
    InputFormat: 'DYNAMODB_JSON',
    TableCreationParameters: {
      TableName: 'GameImported',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    },
  })
}

function create(TableName: string, more: object = {}): CaseRequest {
  return on('CreateTable', {
    TableName,
    AttributeDefinitions: [{ AttributeName: 'a', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
    ...more,
  })
}
