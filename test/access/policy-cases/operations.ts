import {
  allow,
  arn,
  deny,
  get,
  key,
  on,
  policy,
  put,
  remove,
  scores,
  statement,
  type CaseGroup,
} from './policy-case.ts'

const partiql = [
  'dynamodb:PartiQLInsert',
  'dynamodb:PartiQLUpdate',
  'dynamodb:PartiQLDelete',
  'dynamodb:PartiQLSelect',
]
const transactional = [
  'dynamodb:ConditionCheckItem',
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
  'dynamodb:GetItem',
]
const anyScores = 'arn:aws:dynamodb:*:*:table/GameScores'
const backup = `${scores}/backup/01489173575360-b308cd7d`
const backupOfMusic = `${arn}:table/Music/backup/01489173575360-b308cd7d`
const readAndWrite = ['PutItem', 'UpdateItem', 'DeleteItem', 'GetItem', 'Query', 'Scan', 'BatchWriteItem'].map(
  (name) => `dynamodb:${name}`,
)

const select = statement(`SELECT * FROM GameScores WHERE UserId = 'ana'`)
const insert = statement(`INSERT INTO GameScores VALUE {'UserId': 'ana', 'GameTitle': 'go'}`)
const updateStatement = statement(`UPDATE GameScores SET Wins = 1 WHERE UserId = 'ana' AND GameTitle = 'go'`)
const deleteStatement = statement(`DELETE FROM GameScores WHERE UserId = 'ana' AND GameTitle = 'go'`)
const transaction = on('ExecuteTransaction', {
  TransactStatements: [{ Statement: `SELECT * FROM GameScores WHERE UserId = 'ana' AND GameTitle = 'go'` }],
})
const transactGet = on('TransactGetItems', {
  TransactItems: [{ Get: { TableName: 'GameScores', Key: key('ana') } }],
})
const transactPut = on('TransactWriteItems', {
  TransactItems: [{ Put: { TableName: 'GameScores', Item: key('ana') } }],
})
const check = { TableName: 'GameScores', Key: key('ana'), ConditionExpression: 'attribute_not_exists(Nothing)' }
const transactCheck = on('TransactWriteItems', { TransactItems: [{ ConditionCheck: check }] })
const restore = on('RestoreTableFromBackup', { TargetTableName: 'Restored', BackupArn: backup })

/** From "IAM security policies with PartiQL", "Using IAM with DynamoDB transactions" and "Using IAM with DynamoDB backup and restore" in the
 *  DynamoDB Developer Guide. */
export const operationCases: readonly CaseGroup[] = [
  {
    about: 'PartiQL: all statements on a table',
    identity: [policy(allow(partiql, [scores]))],
    requests: [
      ['select', select, 'allowed'],
      ['insert', insert, 'allowed'],
      ['update', updateStatement, 'allowed'],
      ['delete', deleteStatement, 'allowed'],
      ['get, which is no statement', get(), 'implicit-deny'],
      [
        'select from an index',
        statement(`SELECT * FROM GameScores.TopScoreDateTimeIndex WHERE GameTitle = 'go'`),
        'implicit-deny',
      ],
    ],
  },
  {
    about: 'PartiQL: select alone',
    identity: [policy(allow(['dynamodb:PartiQLSelect'], [scores]))],
    requests: [
      ['select', select, 'allowed'],
      ['insert', insert, 'implicit-deny'],
      ['update', updateStatement, 'implicit-deny'],
      ['delete', deleteStatement, 'implicit-deny'],
      [
        'a batch that selects from another table as well',
        on('BatchExecuteStatement', {
          Statements: [select.body, statement(`SELECT * FROM Elsewhere WHERE UserId = 'u'`).body],
        }),
        'implicit-deny',
      ],
    ],
  },
  {
    about: 'PartiQL: transactions alone',
    identity: [
      policy(allow(partiql, [scores], { StringEquals: { 'dynamodb:EnclosingOperation': ['ExecuteTransaction'] } })),
    ],
    requests: [
      ['a transaction', transaction, 'allowed'],
      ['a single select', select, 'implicit-deny'],
    ],
  },
  {
    about: 'PartiQL: no transactions',
    identity: [
      policy(
        deny(partiql, [scores], { StringEquals: { 'dynamodb:EnclosingOperation': ['ExecuteTransaction'] } }),
        allow(partiql, [scores]),
      ),
    ],
    requests: [
      ['a transaction', transaction, 'explicit-deny'],
      ['a single select', select, 'allowed'],
    ],
  },
  {
    about: 'PartiQL: no full table scans',
    identity: [
      policy(
        deny(['dynamodb:PartiQLSelect'], [scores], { Bool: { 'dynamodb:FullTableScan': ['true'] } }),
        allow(['dynamodb:PartiQLSelect'], [scores]),
      ),
    ],
    requests: [
      ['by partition key', select, 'allowed'],
      ['of several partitions', statement(`SELECT * FROM GameScores WHERE UserId IN ['ana', 'bob']`), 'allowed'],
      ['without a condition', statement('SELECT * FROM GameScores'), 'explicit-deny'],
      ['by sort key', statement(`SELECT * FROM GameScores WHERE GameTitle = 'go'`), 'explicit-deny'],
      ['by a range of partition keys', statement(`SELECT * FROM GameScores WHERE UserId > 'a'`), 'explicit-deny'],
      ['by one of two', statement(`SELECT * FROM GameScores WHERE UserId = 'a' OR Wins = 1`), 'explicit-deny'],
    ],
  },
  {
    about: 'PartiQL: own items alone',
    identity: [
      policy(
        allow(partiql, [scores], { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['${aws:username}'] } }),
      ),
    ],
    requests: [
      ['own items', select, 'allowed'],
      ['others', statement(`SELECT * FROM GameScores WHERE UserId = 'bob'`), 'implicit-deny'],
      [
        'others, by parameter',
        statement(`SELECT * FROM GameScores WHERE UserId = ?`, { Parameters: [{ S: 'bob' }] }),
        'implicit-deny',
      ],
      [
        'insert of others',
        statement(`INSERT INTO GameScores VALUE {'UserId': 'bob', 'GameTitle': 'go'}`),
        'implicit-deny',
      ],
      [
        'delete of both',
        statement(`DELETE FROM GameScores WHERE UserId IN ['ana'] AND UserId = 'bob' AND GameTitle = 'go'`),
        'implicit-deny',
      ],
    ],
  },
  {
    about: 'transactions: allowed',
    identity: [policy(allow(transactional, [anyScores]))],
    requests: [
      ['get', transactGet, 'allowed'],
      ['put', transactPut, 'allowed'],
      ['check', transactCheck, 'allowed'],
      ['outside of a transaction', get(), 'allowed'],
    ],
  },
  {
    about: 'transactions: nothing else',
    identity: [
      policy(
        allow(transactional, [anyScores], {
          'ForAnyValue:StringEquals': { 'dynamodb:EnclosingOperation': ['TransactWriteItems', 'TransactGetItems'] },
        }),
      ),
    ],
    requests: [
      ['get in a transaction', transactGet, 'allowed'],
      ['put in a transaction', transactPut, 'allowed'],
      ['get', get(), 'implicit-deny'],
      ['put', put(), 'implicit-deny'],
    ],
  },
  {
    about: 'transactions: blocked',
    identity: [
      policy(
        deny(transactional, [anyScores], {
          'ForAnyValue:StringEquals': { 'dynamodb:EnclosingOperation': ['TransactWriteItems', 'TransactGetItems'] },
        }),
        allow(['dynamodb:PutItem', 'dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:UpdateItem'], [anyScores]),
      ),
    ],
    requests: [
      ['get in a transaction', transactGet, 'explicit-deny'],
      ['put in a transaction', transactPut, 'explicit-deny'],
      ['get', get(), 'allowed'],
      ['delete', remove(), 'allowed'],
    ],
  },
  {
    about: 'transactions: nothing is returned when a check fails',
    identity: [
      policy(allow(transactional, anyScores, { StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' } })),
    ],
    requests: [
      ['a check that returns nothing', transactCheck, 'allowed'],
      [
        'a check that returns the item',
        on('TransactWriteItems', {
          TransactItems: [{ ConditionCheck: { ...check, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } }],
        }),
        'implicit-deny',
      ],
      ['a get', transactGet, 'allowed'],
      ['a put that returns the old item', put('ana', {}, { ReturnValues: 'ALL_OLD' }), 'implicit-deny'],
    ],
  },
  {
    about: 'transactions: each part is needed',
    identity: [policy(allow(['dynamodb:PutItem', 'dynamodb:ConditionCheckItem'], anyScores))],
    requests: [
      ['put', transactPut, 'allowed'],
      [
        'put and delete',
        on('TransactWriteItems', {
          TransactItems: [
            { Put: { TableName: 'GameScores', Item: key('ana') } },
            { Delete: { TableName: 'GameScores', Key: key('bob') } },
          ],
        }),
        'implicit-deny',
      ],
      [
        'put into another table',
        on('TransactWriteItems', {
          TransactItems: [
            { Put: { TableName: 'GameScores', Item: key('ana') } },
            { Put: { TableName: 'Music', Item: { Artist: { S: 'a' } } } },
          ],
        }),
        'implicit-deny',
      ],
    ],
  },
  {
    about: 'backups: create and restore on all tables',
    identity: [policy(allow(['dynamodb:CreateBackup', 'dynamodb:RestoreTableFromBackup', ...readAndWrite]))],
    requests: [
      ['create', on('CreateBackup', { TableName: 'GameScores', BackupName: 'nightly' }), 'allowed'],
      ['restore', restore, 'allowed'],
      ['list', on('ListBackups'), 'implicit-deny'],
    ],
  },
  {
    about: 'backups: create, and no restore',
    identity: [policy(allow(['dynamodb:CreateBackup']), deny(['dynamodb:RestoreTableFromBackup']))],
    requests: [
      ['create', on('CreateBackup', { TableName: 'Music', BackupName: 'nightly' }), 'allowed'],
      ['restore', restore, 'explicit-deny'],
    ],
  },
  {
    about: 'backups: list, and neither create nor delete',
    identity: [policy(allow(['dynamodb:ListBackups']), deny(['dynamodb:CreateBackup', 'dynamodb:DeleteBackup']))],
    requests: [
      ['list', on('ListBackups'), 'allowed'],
      ['create', on('CreateBackup', { TableName: 'GameScores', BackupName: 'nightly' }), 'explicit-deny'],
      ['delete', on('DeleteBackup', { BackupArn: backup }), 'explicit-deny'],
    ],
  },
  {
    about: 'backups: one backup can be restored and not deleted',
    identity: [
      policy(
        allow(['dynamodb:DescribeBackup', 'dynamodb:RestoreTableFromBackup'], backup),
        allow(readAndWrite),
        deny(['dynamodb:DeleteBackup'], backup),
      ),
    ],
    requests: [
      ['describe', on('DescribeBackup', { BackupArn: backup }), 'allowed'],
      ['restore', restore, 'allowed'],
      ['describe another', on('DescribeBackup', { BackupArn: backupOfMusic }), 'implicit-deny'],
      [
        'restore another',
        on('RestoreTableFromBackup', { TargetTableName: 'Restored', BackupArn: backupOfMusic }),
        'implicit-deny',
      ],
      ['delete', on('DeleteBackup', { BackupArn: backup }), 'explicit-deny'],
    ],
  },
  {
    about: 'backups: a restore needs to read and write the target as well',
    identity: [policy(allow('dynamodb:RestoreTableFromBackup'), allow(readAndWrite, `${arn}:table/Restored`))],
    requests: [
      ['into that table', restore, 'allowed'],
      [
        'into another',
        on('RestoreTableFromBackup', { TargetTableName: 'Elsewhere', BackupArn: backup }),
        'implicit-deny',
      ],
    ],
  },
  {
    about: 'backups: of one table alone',
    identity: [policy(allow(['dynamodb:CreateBackup'], [scores]))],
    requests: [
      ['that table', on('CreateBackup', { TableName: 'GameScores', BackupName: 'nightly' }), 'allowed'],
      ['another', on('CreateBackup', { TableName: 'Music', BackupName: 'nightly' }), 'implicit-deny'],
    ],
  },
  {
    about: 'backups: no restore of a source',
    identity: [
      policy(
        allow('dynamodb:*'),
        deny(['dynamodb:RestoreTableToPointInTime'], scores),
        deny(['dynamodb:RestoreTableFromBackup'], `${scores}/backup/*`),
      ),
    ],
    requests: [
      [
        'of that table to a point in time',
        on('RestoreTableToPointInTime', {
          SourceTableName: 'GameScores',
          TargetTableName: 'Restored',
          UseLatestRestorableTime: true,
        }),
        'explicit-deny',
      ],
      [
        'of another table to a point in time',
        on('RestoreTableToPointInTime', {
          SourceTableName: 'Music',
          TargetTableName: 'Restored',
          UseLatestRestorableTime: true,
        }),
        'allowed',
      ],
      ['of its backups', restore, 'explicit-deny'],
      [
        'of others',
        on('RestoreTableFromBackup', { TargetTableName: 'Restored', BackupArn: backupOfMusic }),
        'allowed',
      ],
    ],
  },
]
