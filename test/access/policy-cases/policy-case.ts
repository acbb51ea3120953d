/** Cases of policies, as data: who has which policies, what they ask for, and what is decided. They are run against the evaluator, and over
 *  HTTP on a closed server, where SimulateCustomPolicy must agree. */
export interface CaseGroup {
  /** What it shows, and where it is from: a page of AWS's documentation, unless it says otherwise. */
  readonly about: string
  /** A user called `ana`, or a session called `one` of the role `game`; the user unless told. */
  readonly as?: 'user' | 'session'
  readonly tags?: Readonly<Record<string, string>>
  /** The statements of each policy of the user or the role. */
  readonly identity: readonly Policy[]
  readonly boundary?: Policy
  readonly session?: Policy
  /** Of the table GameScores. */
  readonly resource?: Policy
  readonly requests: readonly Asked[]
}

export type Asked = readonly [what: string, request: CaseRequest, expected: Expected]

export type Expected = 'allowed' | 'explicit-deny' | 'implicit-deny'

export interface CaseRequest {
  readonly operation: string
  readonly body: object
}

export interface Policy {
  readonly Version?: string
  readonly Statement: readonly object[]
}

/** Where the cases are at home. */
export const account = '123456789012'
export const region = 'us-west-2'
export const arn = `arn:aws:dynamodb:${region}:${account}`
export const scores = `${arn}:table/GameScores`
export const scoresIndex = `${scores}/index/TopScoreDateTimeIndex`
export const ana = `arn:aws:iam::${account}:user/ana`
export const gameRole = `arn:aws:iam::${account}:role/game`
export const gameSession = `arn:aws:sts::${account}:assumed-role/game/one`

/** A policy of the current version. */
export function policy(...statements: readonly object[]): Policy {
  return { Version: '2012-10-17', Statement: statements }
}

export function allow(Action: unknown, Resource: unknown = '*', Condition?: object): object {
  return { Effect: 'Allow', Action, Resource, ...(Condition && { Condition }) }
}

export function deny(Action: unknown, Resource: unknown = '*', Condition?: object): object {
  return { Effect: 'Deny', Action, Resource, ...(Condition && { Condition }) }
}

const title = { S: 'chess' }

/** GameScores has the partition key UserId and the sort key GameTitle. */
export function key(user: string): object {
  return { UserId: { S: user }, GameTitle: title }
}

export function get(user = 'ana', more: object = {}): CaseRequest {
  return { operation: 'GetItem', body: { TableName: 'GameScores', Key: key(user), ...more } }
}

export function put(user = 'ana', attributes: object = {}, more: object = {}): CaseRequest {
  return { operation: 'PutItem', body: { TableName: 'GameScores', Item: { ...key(user), ...attributes }, ...more } }
}

export function remove(user = 'ana', more: object = {}): CaseRequest {
  return { operation: 'DeleteItem', body: { TableName: 'GameScores', Key: key(user), ...more } }
}

/** Sets one attribute. */
export function update(attribute: string, more: object = {}, user = 'ana'): CaseRequest {
  return {
    operation: 'UpdateItem',
    body: {
      TableName: 'GameScores',
      Key: key(user),
      UpdateExpression: 'SET #a = :v',
      ExpressionAttributeNames: { '#a': attribute },
      ExpressionAttributeValues: { ':v': { N: '1' } },
      ...more,
    },
  }
}

export function query(user = 'ana', more: object = {}): CaseRequest {
  return {
    operation: 'Query',
    body: {
      TableName: 'GameScores',
      KeyConditionExpression: 'UserId = :u',
      ExpressionAttributeValues: { ':u': { S: user } },
      ...more,
    },
  }
}

export function queryIndex(game = 'chess', more: object = {}): CaseRequest {
  return {
    operation: 'Query',
    body: {
      TableName: 'GameScores',
      IndexName: 'TopScoreDateTimeIndex',
      KeyConditionExpression: 'GameTitle = :g',
      ExpressionAttributeValues: { ':g': { S: game } },
      ...more,
    },
  }
}

export function scan(more: object = {}): CaseRequest {
  return { operation: 'Scan', body: { TableName: 'GameScores', ...more } }
}

export function batchGet(...users: readonly string[]): CaseRequest {
  return { operation: 'BatchGetItem', body: { RequestItems: { GameScores: { Keys: users.map(key) } } } }
}

export function batchWrite(...users: readonly string[]): CaseRequest {
  const requests = users.map((user) => ({ PutRequest: { Item: key(user) } }))
  return { operation: 'BatchWriteItem', body: { RequestItems: { GameScores: requests } } }
}

export function statement(text: string, more: object = {}): CaseRequest {
  return { operation: 'ExecuteStatement', body: { Statement: text, ...more } }
}

export function on(operation: string, body: object = {}): CaseRequest {
  return { operation, body }
}
