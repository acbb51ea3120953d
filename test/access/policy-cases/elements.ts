import {
  account,
  allow,
  arn,
  deny,
  get,
  on,
  policy,
  put,
  query,
  scan,
  scores,
  scoresIndex,
  queryIndex,
  type CaseGroup,
} from './policy-case.ts'

const describe = on('DescribeTable', { TableName: 'GameScores' })

/** The elements of statements: Action, Resource and their opposites, wildcards, versions. From the "IAM JSON policy elements reference". */
export const elementCases: readonly CaseGroup[] = [
  group('nothing at all', [], [['get', get(), 'implicit-deny']]),
  group(
    'Action: one',
    [allow('dynamodb:GetItem', scores)],
    [
      ['it', get(), 'allowed'],
      ['another', put(), 'implicit-deny'],
    ],
  ),
  group('Action: case does not matter', [allow('DYNAMODB:getITEM', scores)], [['get', get(), 'allowed']]),
  group('Action: a star', [allow('*', scores)], [['get', get(), 'allowed']]),
  group('Action: all of a service', [allow('dynamodb:*', scores)], [['get', get(), 'allowed']]),
  group('Action: all of another service', [allow('s3:*', '*')], [['get', get(), 'implicit-deny']]),
  group(
    'Action: a prefix',
    [allow('dynamodb:Get*', scores)],
    [
      ['get', get(), 'allowed'],
      [
        'batch get, which begins otherwise',
        on('BatchGetItem', { RequestItems: { GameScores: { Keys: [{}] } } }),
        'implicit-deny',
      ],
    ],
  ),
  group(
    'Action: a suffix',
    [allow('dynamodb:*Item', scores)],
    [
      ['get', get(), 'allowed'],
      ['put', put(), 'allowed'],
      ['query', query(), 'implicit-deny'],
    ],
  ),
  group(
    'Action: in the middle, and single characters',
    [allow(['dynamodb:G*t?tem', 'dynamodb:?can'], scores)],
    [
      ['get', get(), 'allowed'],
      ['scan', scan(), 'allowed'],
      ['query', query(), 'implicit-deny'],
    ],
  ),
  group(
    'Action: the service has no wildcard of its own',
    [allow('dynamodb:GetItem*Else', scores)],
    [['get', get(), 'implicit-deny']],
  ),
  group(
    'Action: the operation that encloses it is no action',
    [allow('dynamodb:TransactGetItems', scores)],
    [['a transaction', on('TransactGetItems', { TransactItems: [{ Get: get().body }] }), 'implicit-deny']],
  ),
  group(
    'NotAction: all but one',
    [{ Effect: 'Allow', NotAction: 'dynamodb:PutItem', Resource: '*' }],
    [
      ['get', get(), 'allowed'],
      ['put', put(), 'implicit-deny'],
    ],
  ),
  group(
    'NotAction: with Deny',
    [allow('dynamodb:*'), { Effect: 'Deny', NotAction: ['dynamodb:Get*', 'dynamodb:Query'], Resource: '*' }],
    [
      ['get', get(), 'allowed'],
      ['query', query(), 'allowed'],
      ['put', put(), 'explicit-deny'],
    ],
  ),
  group(
    'Resource: another table',
    [allow('dynamodb:GetItem', `${arn}:table/Music`)],
    [['get', get(), 'implicit-deny']],
  ),
  group(
    'Resource: case matters',
    [allow('dynamodb:GetItem', `${arn}:table/gamescores`)],
    [['get', get(), 'implicit-deny']],
  ),
  group(
    'Resource: a prefix of the name',
    [allow('dynamodb:*', `${arn}:table/Game*`)],
    [
      ['the table', get(), 'allowed'],
      ['its index, for a star reaches over slashes', queryIndex(), 'allowed'],
    ],
  ),
  group(
    'Resource: the table is not its indexes',
    [allow('dynamodb:*', scores)],
    [
      ['the table', query(), 'allowed'],
      ['an index', queryIndex(), 'implicit-deny'],
    ],
  ),
  group(
    'Resource: all indexes of the table',
    [allow('dynamodb:Query', `${scores}/index/*`)],
    [
      ['an index', queryIndex(), 'allowed'],
      ['the table', query(), 'implicit-deny'],
    ],
  ),
  group('Resource: one index', [allow('dynamodb:Query', [scoresIndex])], [['it', queryIndex(), 'allowed']]),
  group(
    'Resource: single characters',
    [allow('dynamodb:*', `${arn}:table/Game?cores`)],
    [['get', get(), 'allowed']],
  ),
  group(
    'Resource: a region and an account of any kind',
    [allow('dynamodb:*', 'arn:aws:dynamodb:*:*:table/GameScores')],
    [['get', get(), 'allowed']],
  ),
  group(
    'Resource: another account',
    [allow('dynamodb:*', `arn:aws:dynamodb:us-west-2:999988887777:table/*`)],
    [['get', get(), 'implicit-deny']],
  ),
  group(
    'Resource: an ARN with fewer parts is completed',
    [allow('dynamodb:*', 'arn:aws:dynamodb')],
    [['get', get(), 'allowed']],
  ),
  group(
    'Resource: many stars',
    [allow('dynamodb:*', `arn:aws:dynamodb:*:*:****t***able/**G*a*m*e*****`)],
    [['get', get(), 'allowed']],
  ),
  group(
    'Resource: a variable',
    [allow('dynamodb:*', `${arn}:table/\${aws:PrincipalTag/table}`)],
    [['get', get(), 'implicit-deny']],
  ),
  {
    ...group(
      'Resource: a variable with a value',
      [allow('dynamodb:*', `${arn}:table/Game\${aws:PrincipalTag/table}`)],
      [['get', get(), 'allowed']],
    ),
    tags: { table: 'Scores' },
  },
  group(
    'Resource: a variable with a default',
    [allow('dynamodb:*', `${arn}:table/\${aws:PrincipalTag/table, 'GameScores'}`)],
    [['get', get(), 'allowed']],
  ),
  {
    ...group(
      'Resource: its default is not used where there is a value',
      [allow('dynamodb:*', `${arn}:table/\${aws:PrincipalTag/table, 'GameScores'}`)],
      [['get', get(), 'implicit-deny']],
    ),
    tags: { table: 'Music' },
  },
  group(
    'NotResource: with Deny',
    [allow('dynamodb:*'), { Effect: 'Deny', Action: '*', NotResource: [scores, `${scores}/*`] }],
    [
      ['the table', get(), 'allowed'],
      ['its index', queryIndex(), 'allowed'],
      ['another table', on('DescribeTable', { TableName: 'Music' }), 'explicit-deny'],
    ],
  ),
  group(
    'NotResource: with Allow',
    [{ Effect: 'Allow', Action: 'dynamodb:*', NotResource: `${arn}:table/Music*` }],
    [
      ['another table', get(), 'allowed'],
      ['the table', on('DescribeTable', { TableName: 'Music' }), 'implicit-deny'],
    ],
  ),
  group(
    'Effect: a denial wins, wherever it stands',
    [deny('dynamodb:PutItem', scores), allow('dynamodb:*')],
    [
      ['put', put(), 'explicit-deny'],
      ['get', get(), 'allowed'],
    ],
  ),
  {
    about: 'Effect: a denial of one policy wins over another',
    identity: [policy(allow('*')), policy(deny('dynamodb:Get*', `${arn}:table/*`))],
    requests: [
      ['get', get(), 'explicit-deny'],
      ['put', put(), 'allowed'],
    ],
  },
  {
    about: 'several policies allow together',
    identity: [policy(allow('dynamodb:GetItem', scores)), policy(allow('dynamodb:PutItem', scores))],
    requests: [
      ['get', get(), 'allowed'],
      ['put', put(), 'allowed'],
      ['scan', scan(), 'implicit-deny'],
    ],
  },
  {
    about: 'Version: the older one has no variables, and wildcards all the same',
    identity: [{ Version: '2008-10-17', Statement: [allow('dynamodb:Get*', `${arn}:table/Game*`)] }],
    requests: [['get', get(), 'allowed']],
  },
  {
    about: 'Version: without one, it is the older one',
    identity: [{ Statement: [allow('dynamodb:*', `${arn}:table/Game\${*}`)] }],
    requests: [['a literal star in braces', get(), 'implicit-deny']],
  },
  group(
    'AWS’s policy for one table (IAM User Guide, "Allows access to a specific table")',
    [
      allow(
        [
          'dynamodb:List*',
          'dynamodb:DescribeReservedCapacity*',
          'dynamodb:DescribeLimits',
          'dynamodb:DescribeTimeToLive',
        ],
        '*',
      ),
      allow(
        [
          'dynamodb:BatchGet*',
          'dynamodb:DescribeStream',
          'dynamodb:DescribeTable',
          'dynamodb:Get*',
          'dynamodb:Query',
          'dynamodb:Scan',
          'dynamodb:BatchWrite*',
          'dynamodb:CreateTable',
          'dynamodb:Delete*',
          'dynamodb:Update*',
          'dynamodb:PutItem',
        ],
        'arn:aws:dynamodb:*:*:table/GameScores',
      ),
    ],
    [
      ['list tables', on('ListTables'), 'allowed'],
      ['limits', on('DescribeLimits'), 'allowed'],
      ['get', get(), 'allowed'],
      ['scan', scan(), 'allowed'],
      ['describe', describe, 'allowed'],
      ['describe another', on('DescribeTable', { TableName: 'Music' }), 'implicit-deny'],
      ['time to live of another', on('DescribeTimeToLive', { TableName: 'Music' }), 'allowed'],
      ['an index', queryIndex(), 'implicit-deny'],
      ['backup', on('CreateBackup', { TableName: 'GameScores', BackupName: 'nightly' }), 'implicit-deny'],
    ],
  ),
  group(
    'AWS’s AmazonDynamoDBReadOnlyAccess, in part',
    [
      allow([
        'dynamodb:BatchGetItem',
        'dynamodb:Describe*',
        'dynamodb:List*',
        'dynamodb:GetItem',
        'dynamodb:GetResourcePolicy',
        'dynamodb:Query',
        'dynamodb:Scan',
        'dynamodb:PartiQLSelect',
      ]),
    ],
    [
      ['get', get(), 'allowed'],
      ['scan', scan(), 'allowed'],
      ['describe', describe, 'allowed'],
      ['put', put(), 'implicit-deny'],
      ['delete the table', on('DeleteTable', { TableName: 'Missing' }), 'implicit-deny'],
      ['policy', on('GetResourcePolicy', { ResourceArn: scores }), 'allowed'],
      ['change of the policy', on('DeleteResourcePolicy', { ResourceArn: scores }), 'implicit-deny'],
    ],
  ),
  group(
    'denial outside of some regions (IAM User Guide, "Denies access based on the requested Region")',
    [
      allow('*'),
      {
        Sid: 'DenyAllOutsideRequestedRegions',
        Effect: 'Deny',
        NotAction: ['iam:*', 'sts:*'],
        Resource: '*',
        Condition: { StringNotEquals: { 'aws:RequestedRegion': ['eu-central-1', 'us-west-2'] } },
      },
    ],
    [['in one of them', get(), 'allowed']],
  ),
  group(
    'denial outside of other regions',
    [allow('*'), deny('*', '*', { StringNotEquals: { 'aws:RequestedRegion': ['eu-central-1'] } })],
    [['elsewhere', get(), 'explicit-deny']],
  ),
  group(
    'own account alone',
    [allow('dynamodb:*', '*', { StringEquals: { 'aws:ResourceAccount': account } })],
    [
      ['own table', get(), 'allowed'],
      ['another account’s', get('ana', { TableName: scores.replace(account, '999988887777') }), 'implicit-deny'],
    ],
  ),
]

function group(about: string, statements: readonly object[], requests: CaseGroup['requests']): CaseGroup {
  return { about, identity: statements.length === 0 ? [] : [policy(...statements)], requests }
}
