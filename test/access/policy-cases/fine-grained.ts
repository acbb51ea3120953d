import {
  allow,
  batchGet,
  batchWrite,
  get,
  policy,
  put,
  query,
  queryIndex,
  remove,
  scan,
  scores,
  scoresIndex,
  statement,
  update,
  type CaseGroup,
} from './policy-case.ts'

const itemActions = [
  'dynamodb:GetItem',
  'dynamodb:BatchGetItem',
  'dynamodb:Query',
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
  'dynamodb:BatchWriteItem',
]

/** From "Using IAM policy conditions for fine-grained access control" in the DynamoDB Developer Guide. Users take the place of web identities. */
export const fineGrained: readonly CaseGroup[] = [
  {
    about: 'overview: only items and attributes of the user',
    identity: [
      policy(
        allow(itemActions, [scores], {
          'ForAllValues:StringEquals': {
            'dynamodb:LeadingKeys': ['${aws:username}'],
            'dynamodb:Attributes': ['UserId', 'GameTitle', 'Wins', 'Losses', 'TopScore', 'TopScoreDateTime'],
          },
          StringEqualsIfExists: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
        }),
      ),
    ],
    requests: [
      ['listed attributes of an own item', get('ana', { ProjectionExpression: 'Wins, Losses' }), 'allowed'],
      ['all attributes of an own item', get('ana'), 'implicit-deny'],
      ['another attribute', get('ana', { ProjectionExpression: 'Address' }), 'implicit-deny'],
      ["somebody else's item", get('bob', { ProjectionExpression: 'Wins' }), 'implicit-deny'],
      ['a query of listed attributes', query('ana', { ProjectionExpression: 'TopScore' }), 'allowed'],
      ['a query that only counts', query('ana', { Select: 'COUNT' }), 'implicit-deny'],
      ['an update of a listed attribute', update('Wins'), 'allowed'],
      ['an update of another attribute', update('Address'), 'implicit-deny'],
      ['a new item with listed attributes', put('ana', { Wins: { N: '1' } }), 'allowed'],
      ['a new item with another attribute', put('ana', { Address: { S: 'x' } }), 'implicit-deny'],
      ['a deletion of an own item', remove('ana'), 'allowed'],
      ['a scan, which is not among the actions', scan({ ProjectionExpression: 'Wins' }), 'implicit-deny'],
    ],
  },
  {
    about: 'example 1: full access to the items of the user',
    identity: [
      policy(
        allow(itemActions, [scores], {
          'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['${aws:username}'] },
        }),
      ),
    ],
    requests: [
      ['get', get('ana'), 'allowed'],
      ["get somebody else's", get('bob'), 'implicit-deny'],
      ['put', put('ana'), 'allowed'],
      ["put somebody else's", put('bob'), 'implicit-deny'],
      ['update', update('Wins'), 'allowed'],
      ["update somebody else's", update('Wins', {}, 'bob'), 'implicit-deny'],
      ["delete somebody else's", remove('bob'), 'implicit-deny'],
      ['query', query('ana'), 'allowed'],
      ["query somebody else's", query('bob'), 'implicit-deny'],
      ['batch of own items', batchGet('ana'), 'allowed'],
      ["batch with somebody else's", batchGet('ana', 'bob'), 'implicit-deny'],
      ['batch of own writes', batchWrite('ana'), 'allowed'],
      ["batch with somebody else's write", batchWrite('ana', 'bob'), 'implicit-deny'],
      ['scan', scan(), 'implicit-deny'],
      ['an index, which is not among the resources', queryIndex(), 'implicit-deny'],
    ],
  },
  {
    about: 'example 1: read-only access to the items of the user',
    identity: [
      policy(
        allow(['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'], [scores], {
          'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['${aws:username}'] },
        }),
      ),
    ],
    requests: [
      ['get', get('ana'), 'allowed'],
      ['query', query('ana'), 'allowed'],
      ['put', put('ana'), 'implicit-deny'],
      ['delete', remove('ana'), 'implicit-deny'],
    ],
  },
  {
    about: 'example 1, with the older version: a variable is mere text',
    identity: [
      {
        Version: '2008-10-17',
        Statement: [
          allow(itemActions, [scores], {
            'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['${aws:username}'] },
          }),
        ],
      },
    ],
    requests: [
      ['the user’s own item', get('ana'), 'implicit-deny'],
      ['an item that is called like the variable', get('${aws:username}'), 'allowed'],
    ],
  },
  {
    about: 'example 2: two attributes only',
    identity: [
      policy(
        allow(
          ['dynamodb:UpdateItem', 'dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:BatchGetItem', 'dynamodb:Scan'],
          [scores],
          {
            'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['UserId', 'GameTitle', 'TopScore'] },
            StringEqualsIfExists: {
              'dynamodb:Select': 'SPECIFIC_ATTRIBUTES',
              'dynamodb:ReturnValues': ['NONE', 'UPDATED_OLD', 'UPDATED_NEW'],
            },
          },
        ),
      ),
    ],
    requests: [
      ['get of one of them', get('bob', { ProjectionExpression: 'TopScore' }), 'allowed'],
      ['get in the older form', get('bob', { AttributesToGet: ['TopScore'] }), 'allowed'],
      ['get of another', get('bob', { ProjectionExpression: 'Wins' }), 'implicit-deny'],
      ['get of all', get('bob'), 'implicit-deny'],
      ['scan of one of them', scan({ ProjectionExpression: 'TopScore' }), 'allowed'],
      ['scan of all', scan(), 'implicit-deny'],
      ['scan of all projected', scan({ Select: 'ALL_ATTRIBUTES' }), 'implicit-deny'],
      [
        'scan with a filter on another',
        scan({
          ProjectionExpression: 'TopScore',
          FilterExpression: 'Wins > :w',
          ExpressionAttributeValues: { ':w': { N: '1' } },
        }),
        'implicit-deny',
      ],
      ['update of one of them', update('TopScore'), 'allowed'],
      ['update that returns what it changed', update('TopScore', { ReturnValues: 'UPDATED_NEW' }), 'allowed'],
      ['update that returns all', update('TopScore', { ReturnValues: 'ALL_NEW' }), 'implicit-deny'],
      [
        'update that returns all if its condition fails',
        update('TopScore', {
          ConditionExpression: 'attribute_exists(TopScore)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
        'implicit-deny',
      ],
      [
        'update under a condition on another',
        update('TopScore', { ConditionExpression: 'attribute_exists(Wins)' }),
        'implicit-deny',
      ],
      ['put, which replaces all attributes', put('bob', { TopScore: { N: '1' } }), 'implicit-deny'],
    ],
  },
  {
    about: 'example 2, for reads alone: Select always has a value',
    identity: [
      policy(
        allow(['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:Scan'], [scores], {
          'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['UserId', 'GameTitle', 'TopScore'] },
          StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
        }),
      ),
    ],
    requests: [
      ['get of one attribute', get('bob', { ProjectionExpression: 'TopScore' }), 'allowed'],
      ['get of all', get('bob'), 'implicit-deny'],
      ['query of one attribute', query('bob', { ProjectionExpression: 'TopScore' }), 'allowed'],
      [
        'query that says so',
        query('bob', { Select: 'SPECIFIC_ATTRIBUTES', ProjectionExpression: 'TopScore' }),
        'allowed',
      ],
      ['query of all', query('bob'), 'implicit-deny'],
    ],
  },
  {
    about: 'example 2, for updates alone: ReturnValues always has a value',
    identity: [
      policy(
        allow('dynamodb:UpdateItem', scores, {
          'ForAllValues:StringLike': { 'dynamodb:Attributes': ['UserId', 'GameTitle', 'Top*'] },
          StringEquals: { 'dynamodb:ReturnValues': ['NONE', 'UPDATED_OLD', 'UPDATED_NEW'] },
        }),
      ),
    ],
    requests: [
      ['an attribute of the pattern', update('TopScoreDateTime'), 'allowed'],
      ['another attribute', update('Wins'), 'implicit-deny'],
      ['all of the item returned', update('TopScore', { ReturnValues: 'ALL_OLD' }), 'implicit-deny'],
    ],
  },
  {
    about: 'example 3: some attributes cannot be updated',
    identity: [
      policy(
        allow('dynamodb:UpdateItem', scores, {
          'ForAllValues:StringNotLike': { 'dynamodb:Attributes': ['FreeGamesAvailable', 'BossLevelUnlocked'] },
          StringEquals: { 'dynamodb:ReturnValues': ['NONE', 'UPDATED_OLD', 'UPDATED_NEW'] },
        }),
      ),
    ],
    requests: [
      ['another attribute', update('Wins'), 'allowed'],
      ['one of them', update('BossLevelUnlocked'), 'implicit-deny'],
      ['one of them, as a source', update('Wins', sourceOf('FreeGamesAvailable')), 'implicit-deny'],
      ['a put', put('ana'), 'implicit-deny'],
    ],
  },
  {
    about: 'example 4: only projected attributes of an index',
    identity: [
      policy(
        allow(['dynamodb:Query'], [scoresIndex], {
          'ForAllValues:StringEquals': {
            'dynamodb:Attributes': ['TopScoreDateTime', 'GameTitle', 'Wins', 'Losses', 'Attempts'],
          },
          StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
        }),
      ),
    ],
    requests: [
      ['listed attributes', queryIndex('chess', { ProjectionExpression: 'Wins' }), 'allowed'],
      ['another attribute', queryIndex('chess', { ProjectionExpression: 'UserId' }), 'implicit-deny'],
      ['all projected attributes', queryIndex(), 'implicit-deny'],
      ['the table', query('ana', { ProjectionExpression: 'Wins' }), 'implicit-deny'],
      [
        'a scan of the index',
        scan({ IndexName: 'TopScoreDateTimeIndex', ProjectionExpression: 'Wins' }),
        'implicit-deny',
      ],
    ],
  },
  {
    about: 'example 4: all projected attributes of an index',
    identity: [
      policy(
        allow(['dynamodb:Query'], [scoresIndex], {
          StringEquals: { 'dynamodb:Select': 'ALL_PROJECTED_ATTRIBUTES' },
        }),
      ),
    ],
    requests: [
      ['by default', queryIndex(), 'allowed'],
      ['asked for', queryIndex('chess', { Select: 'ALL_PROJECTED_ATTRIBUTES' }), 'allowed'],
      ['some', queryIndex('chess', { ProjectionExpression: 'Wins' }), 'implicit-deny'],
    ],
  },
  {
    about: 'example 5: attributes and partition keys, of the table and an index',
    identity: [
      policy(
        allow(
          ['dynamodb:UpdateItem', 'dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:BatchGetItem'],
          [scores, scoresIndex],
          {
            'ForAllValues:StringEquals': {
              'dynamodb:LeadingKeys': ['${aws:username}'],
              'dynamodb:Attributes': ['UserId', 'GameTitle', 'attribute-A', 'attribute-B'],
            },
            StringEqualsIfExists: {
              'dynamodb:Select': 'SPECIFIC_ATTRIBUTES',
              'dynamodb:ReturnValues': ['NONE', 'UPDATED_OLD', 'UPDATED_NEW'],
            },
          },
        ),
      ),
    ],
    requests: [
      ['an own attribute', get('ana', named('attribute-A')), 'allowed'],
      ["somebody else's attribute", get('bob', named('attribute-A')), 'implicit-deny'],
      ['another own attribute', get('ana', named('attribute-C')), 'implicit-deny'],
      ['an update', update('attribute-B'), 'allowed'],
      ['the partition of the index', queryIndex('ana', named('attribute-A')), 'allowed'],
      ['another partition of the index', queryIndex('chess', named('attribute-A')), 'implicit-deny'],
      ['select by PartiQL, which has its own action', statement(`SELECT UserId FROM GameScores`), 'implicit-deny'],
    ],
  },
  {
    about: 'multi-valued keys: only some attributes, of "Multivalued context keys" in the IAM User Guide',
    identity: [
      policy(
        allow('dynamodb:GetItem', 'arn:aws:dynamodb:*:*:table/GameScores', {
          'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['UserId', 'GameTitle', 'Message', 'Tags'] },
        }),
        {
          Effect: 'Deny',
          Action: 'dynamodb:PutItem',
          Resource: 'arn:aws:dynamodb:*:*:table/GameScores',
          Condition: { 'ForAnyValue:StringEquals': { 'dynamodb:Attributes': ['ID', 'PostDateTime'] } },
        },
        allow('dynamodb:PutItem'),
      ),
    ],
    requests: [
      ['Message and Tags', get('ana', { ProjectionExpression: 'Message, Tags' }), 'allowed'],
      ['UserName', get('ana', { ProjectionExpression: 'Message, UserName' }), 'implicit-deny'],
      ['put with PostDateTime', put('ana', { PostDateTime: { S: 'x' }, Message: { S: 'y' } }), 'explicit-deny'],
      ['put without it', put('ana', { UserName: { S: 'x' } }), 'allowed'],
    ],
  },
]

function named(attribute: string): object {
  return { ProjectionExpression: '#p', ExpressionAttributeNames: { '#p': attribute } }
}

function sourceOf(attribute: string): object {
  return {
    UpdateExpression: 'SET #a = #b',
    ExpressionAttributeNames: { '#a': 'Wins', '#b': attribute },
    ExpressionAttributeValues: undefined,
  }
}
