import {
  account,
  allow,
  ana,
  deny,
  gameRole,
  gameSession,
  get,
  on,
  policy,
  put,
  query,
  queryIndex,
  scores,
  scoresIndex,
  type CaseGroup,
  type Policy,
} from './policy-case.ts'

const all = policy(allow('*'))
const getOnly = policy(allow('dynamodb:GetItem', scores))
const putOnly = policy(allow('dynamodb:PutItem', scores))

/** How the kinds of policies work together, from "Policy evaluation logic" in the IAM User Guide. */
export const kindCases: readonly CaseGroup[] = [
  {
    about: 'boundary: what both allow is allowed',
    identity: [policy(allow(['dynamodb:GetItem', 'dynamodb:Query'], scores))],
    boundary: policy(allow(['dynamodb:GetItem', 'dynamodb:PutItem'])),
    requests: [
      ['in both', get(), 'allowed'],
      ['in the policy alone', query(), 'implicit-deny'],
      ['in the boundary alone', put(), 'implicit-deny'],
    ],
  },
  {
    about: 'boundary: it denies',
    identity: [all],
    boundary: policy(allow('*'), deny('dynamodb:PutItem')),
    requests: [
      ['get', get(), 'allowed'],
      ['put', put(), 'explicit-deny'],
    ],
  },
  {
    about: 'boundary: it grants nothing by itself',
    identity: [],
    boundary: all,
    requests: [['get', get(), 'implicit-deny']],
  },
  {
    about: 'boundary: its conditions count',
    tags: { team: 'red' },
    identity: [all],
    boundary: policy(allow('dynamodb:*', '*', { StringEquals: { 'aws:PrincipalTag/team': 'blue' } })),
    requests: [['get', get(), 'implicit-deny']],
  },
  {
    about: 'session: what the role and the session policy allow',
    as: 'session',
    identity: [policy(allow(['dynamodb:GetItem', 'dynamodb:Query'], scores))],
    session: policy(allow(['dynamodb:GetItem', 'dynamodb:PutItem'])),
    requests: [
      ['in both', get(), 'allowed'],
      ['in the role alone', query(), 'implicit-deny'],
      ['in the session alone', put(), 'implicit-deny'],
    ],
  },
  {
    about: 'session: without a policy, it may what the role may',
    as: 'session',
    identity: [getOnly],
    requests: [
      ['get', get(), 'allowed'],
      ['put', put(), 'implicit-deny'],
    ],
  },
  {
    about: 'session: its policy denies',
    as: 'session',
    identity: [all],
    session: policy(allow('*'), deny('dynamodb:Put*')),
    requests: [
      ['put', put(), 'explicit-deny'],
      ['get', get(), 'allowed'],
    ],
  },
  {
    about: 'session: role, boundary and session policy',
    as: 'session',
    identity: [all],
    boundary: policy(allow(['dynamodb:GetItem', 'dynamodb:PutItem'])),
    session: policy(allow(['dynamodb:GetItem', 'dynamodb:Query'])),
    requests: [
      ['in all', get(), 'allowed'],
      ['not in the session policy', put(), 'implicit-deny'],
      ['not in the boundary', query(), 'implicit-deny'],
    ],
  },
  {
    about: 'session: its tags, and what it is',
    as: 'session',
    tags: { tenant: 'ana' },
    identity: [
      policy(
        allow('dynamodb:GetItem', '*', {
          'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['${aws:PrincipalTag/tenant}'] },
          StringEquals: { 'aws:PrincipalType': 'AssumedRole' },
          ArnEquals: { 'aws:PrincipalArn': gameRole },
          Null: { 'aws:TokenIssueTime': 'false', 'aws:username': 'true' },
          StringLike: { 'aws:userid': '*:one' },
          Bool: { 'aws:MultiFactorAuthPresent': 'false' },
        }),
      ),
    ],
    requests: [
      ['the tenant’s item', get('ana'), 'allowed'],
      ['another tenant’s item', get('bob'), 'implicit-deny'],
    ],
  },
  {
    about: 'session: without the tag nothing is the tenant’s',
    as: 'session',
    identity: [
      policy(
        allow('dynamodb:GetItem', '*', {
          'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['${aws:PrincipalTag/tenant}'] },
        }),
      ),
    ],
    requests: [['get', get('ana'), 'implicit-deny']],
  },
  {
    about: 'resource: granted to the user',
    identity: [],
    resource: granting(ana),
    requests: [
      ['get', get(), 'allowed'],
      ['put', put(), 'implicit-deny'],
    ],
  },
  {
    about: 'resource: granted to the user, beyond the boundary',
    identity: [],
    boundary: putOnly,
    resource: granting(ana),
    requests: [['get', get(), 'allowed']],
  },
  {
    about: 'resource: granted to another user',
    identity: [],
    resource: granting(`arn:aws:iam::${account}:user/bob`),
    requests: [['get', get(), 'implicit-deny']],
  },
  {
    about: 'resource: granted to the account, which leaves it to the policies of its users',
    identity: [],
    resource: granting(account),
    requests: [['get', get(), 'implicit-deny']],
  },
  {
    about: 'resource: granted to the account, and allowed by the user’s policy',
    identity: [getOnly],
    resource: granting(account),
    requests: [['get', get(), 'allowed']],
  },
  {
    about: 'resource: granted to the user, and denied by the user’s policy',
    identity: [policy(deny('dynamodb:GetItem'))],
    resource: granting(ana),
    requests: [['get', get(), 'explicit-deny']],
  },
  {
    about: 'resource: it denies everybody',
    identity: [all],
    resource: policy({ ...deny('dynamodb:GetItem', scores), Principal: '*' }),
    requests: [
      ['get', get(), 'explicit-deny'],
      ['put', put(), 'allowed'],
    ],
  },
  {
    about: 'resource: it denies another user',
    identity: [all],
    resource: policy({ ...deny('dynamodb:*', scores), Principal: { AWS: `arn:aws:iam::${account}:user/bob` } }),
    requests: [['get', get(), 'allowed']],
  },
  {
    about: 'resource: it denies all but some, who are named with their account',
    identity: [all],
    resource: policy({
      ...deny('dynamodb:GetItem', scores),
      NotPrincipal: { AWS: [ana, `arn:aws:iam::${account}:root`] },
    }),
    requests: [['the one who is named', get(), 'allowed']],
  },
  {
    about: 'resource: it denies all but some others',
    identity: [all],
    resource: policy({
      ...deny('dynamodb:GetItem', scores),
      NotPrincipal: { AWS: [`arn:aws:iam::${account}:user/bob`, `arn:aws:iam::${account}:root`] },
    }),
    requests: [['one who is not named', get(), 'explicit-deny']],
  },
  {
    about: 'resource: it denies all but some, by condition',
    identity: [all],
    resource: policy({
      ...deny('dynamodb:GetItem', scores, { ArnNotEquals: { 'aws:PrincipalArn': ana } }),
      Principal: '*',
    }),
    requests: [['the one who is named', get(), 'allowed']],
  },
  {
    about: 'resource: its conditions count',
    identity: [],
    resource: policy({
      ...allow('dynamodb:GetItem', scores, { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['ana'] } }),
      Principal: { AWS: ana },
    }),
    requests: [
      ['in the condition', get('ana'), 'allowed'],
      ['outside of it', get('bob'), 'implicit-deny'],
    ],
  },
  {
    about: 'resource: a table’s policy is also about its indexes, where it names them',
    identity: [],
    resource: policy({ ...allow('dynamodb:Query', [scoresIndex]), Principal: { AWS: ana } }),
    requests: [
      ['the index', queryIndex(), 'allowed'],
      ['the table', query(), 'implicit-deny'],
    ],
  },
  {
    about: 'resource: a table’s policy is not about other tables',
    identity: [],
    resource: policy({ ...allow('dynamodb:*', '*'), Principal: { AWS: ana } }),
    requests: [
      ['this table', get(), 'allowed'],
      ['another', on('DescribeTable', { TableName: 'Music' }), 'implicit-deny'],
    ],
  },
  {
    about: 'resource: everybody of an account, by condition',
    identity: [],
    resource: policy({
      ...allow('dynamodb:GetItem', scores, { StringEquals: { 'aws:PrincipalAccount': account } }),
      Principal: '*',
    }),
    requests: [['get', get(), 'allowed']],
  },
  {
    about: 'resource: granted to the role',
    as: 'session',
    identity: [],
    resource: granting(gameRole),
    requests: [['get', get(), 'allowed']],
  },
  {
    about: 'resource: granted to the role, within the boundary alone',
    as: 'session',
    identity: [],
    boundary: putOnly,
    resource: granting(gameRole),
    requests: [['get', get(), 'implicit-deny']],
  },
  {
    about: 'resource: granted to the role, within the session policy alone',
    as: 'session',
    identity: [],
    session: putOnly,
    resource: granting(gameRole),
    requests: [['get', get(), 'implicit-deny']],
  },
  {
    about: 'resource: granted to the session itself',
    as: 'session',
    identity: [],
    boundary: putOnly,
    session: putOnly,
    resource: granting(gameSession),
    requests: [['get', get(), 'allowed']],
  },
  {
    about: 'resource: granted to another session of the role',
    as: 'session',
    identity: [],
    resource: granting(gameSession.replace('/one', '/two')),
    requests: [['get', get(), 'implicit-deny']],
  },
  {
    about: 'resource: it denies the role',
    as: 'session',
    identity: [all],
    resource: policy({ ...deny('dynamodb:GetItem', scores), Principal: { AWS: gameRole } }),
    requests: [['get', get(), 'explicit-deny']],
  },
  {
    about: 'another account’s table, which grants nothing',
    identity: [all],
    requests: [
      ['get', get('ana', { TableName: scores.replace(account, '999988887777') }), 'implicit-deny'],
      ['describe', on('DescribeTable', { TableName: scores.replace(account, '999988887777') }), 'implicit-deny'],
    ],
  },
]

function granting(principal: string): Policy {
  return policy({ ...allow('dynamodb:GetItem', scores), Principal: { AWS: principal } })
}
