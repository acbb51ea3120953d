import { DynamoDB, type BatchStatementResponse } from '@aws-sdk/client-dynamodb'
import { DynamoDBStreams } from '@aws-sdk/client-dynamodb-streams'
import { IAM, type ContextEntry } from '@aws-sdk/client-iam'
import { STS } from '@aws-sdk/client-sts'
import { explainAccess, type NeedDecision } from '@hashrange/access/closed'
import { openTestEngine, type TestEngine } from '@hashrange/engine/test-engine'
import { open, type Database } from 'hashrange'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rounds } from '../support/rounds.ts'
import { askedOf, caseScope } from './policy-cases/ask.ts'
import { caseTables } from './policy-cases/case-tables.ts'
import { policyCases } from './policy-cases/index.ts'
import {
  account,
  ana,
  region,
  scores,
  type CaseGroup,
  type CaseRequest,
  type Expected,
  type Policy,
} from './policy-cases/policy-case.ts'

/** The cases once more, over HTTP, on a closed server whose identities are made through IAM and STS. Each case is decided in
 *  policy-cases.test.ts: here one of each outcome will do, of every third group. */
const ofEachOutcome = rounds(1, Infinity)
const groups = policyCases.filter((_, place) => place % rounds(3, 1) === 0)
let db: Database
let config: Pick<ConstructorParameters<typeof IAM>[0] & object, 'endpoint' | 'region' | 'maxAttempts'>
let iam: IAM
let anasKey: Credentials
let openersKey: Credentials
/** Knows the same tables, and so what each request needs. */
let known: TestEngine

interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

beforeAll(async () => {
  db = await open({ auth: true, accountId: account, region })
  const { endpoint } = await db.listen()
  config = { endpoint, region, maxAttempts: 1 }
  iam = new IAM({ ...config, credentials: db.clientConfig.credentials })
  known = await openTestEngine()
  for (const table of caseTables) {
    await db.execute('CreateTable', table)
    await known.engine.execute(caseScope, 'DynamoDB_20120810', 'CreateTable', table)
  }
  anasKey = await newUser('ana')
  openersKey = await newUser('opener')
  const trust = { Effect: 'Allow', Principal: { AWS: `arn:aws:iam::${account}:user/opener` } }
  await iam.createRole({
    RoleName: 'game',
    AssumeRolePolicyDocument: JSON.stringify({
      Version: '2012-10-17',
      Statement: [{ ...trust, Action: ['sts:AssumeRole', 'sts:TagSession'] }],
    }),
  })
})

afterAll(async () => {
  for (const { tables, streams } of clients.values()) {
    tables.destroy()
    streams.destroy()
  }
  await known.close()
  await db.close()
})

describe.each(groups)('$about', (group) => {
  let credentials: Credentials

  beforeAll(async () => {
    await db.execute('DeleteResourcePolicy', { ResourceArn: scores })
    if (group.resource !== undefined) {
      await db.execute('PutResourcePolicy', { ResourceArn: scores, Policy: JSON.stringify(group.resource) })
    }
    credentials = group.as === 'session' ? await asSession(group) : await asUser(group)
  })

  const requests = group.requests.filter(
    ([, , expected], index, all) =>
      all.slice(0, index).filter(([, , before]) => before === expected).length < ofEachOutcome,
  )
  test.each(requests)('%s', async (_, request, expected) => {
    expect(await ask(credentials, request)).toBe(expected)
  })

  // IAM simulates no session policies, and no sessions at resource policies.
  if (group.session !== undefined || (group.resource !== undefined && group.as === 'session')) return
  test('is simulated as it is', async () => {
    for (const [what, request, expected] of requests) {
      expect([what, await simulate(group, request)]).toEqual([what, expected])
    }
  })
})

async function newUser(name: string): Promise<Credentials> {
  await iam.createUser({ UserName: name })
  const { AccessKey } = await iam.createAccessKey({ UserName: name })
  return { accessKeyId: AccessKey?.AccessKeyId ?? '', secretAccessKey: AccessKey?.SecretAccessKey ?? '' }
}

/** Gives the user the policies, tags and boundary of a group, and nothing else. */
async function asUser({ identity, boundary, tags = {} }: CaseGroup): Promise<Credentials> {
  const UserName = 'ana'
  const { PolicyNames = [] } = await iam.listUserPolicies({ UserName })
  for (const PolicyName of PolicyNames) await iam.deleteUserPolicy({ UserName, PolicyName })
  for (const [index, policy] of identity.entries()) {
    await iam.putUserPolicy({ UserName, PolicyName: `p${index}`, PolicyDocument: JSON.stringify(policy) })
  }
  const { Tags = [] } = await iam.listUserTags({ UserName })
  if (Tags.length > 0) await iam.untagUser({ UserName, TagKeys: Tags.map(({ Key = '' }) => Key) })
  if (Object.keys(tags).length > 0) await iam.tagUser({ UserName, Tags: tagList(tags) })
  const bounded = await boundaryOf(boundary)
  if (bounded === undefined) await iam.deleteUserPermissionsBoundary({ UserName }).catch(() => undefined)
  else await iam.putUserPermissionsBoundary({ UserName, PermissionsBoundary: bounded })
  return anasKey
}

async function asSession({ identity, boundary, session, tags = {} }: CaseGroup): Promise<Credentials> {
  const RoleName = 'game'
  const { PolicyNames = [] } = await iam.listRolePolicies({ RoleName })
  for (const PolicyName of PolicyNames) await iam.deleteRolePolicy({ RoleName, PolicyName })
  for (const [index, policy] of identity.entries()) {
    await iam.putRolePolicy({ RoleName, PolicyName: `p${index}`, PolicyDocument: JSON.stringify(policy) })
  }
  const bounded = await boundaryOf(boundary)
  if (bounded === undefined) await iam.deleteRolePermissionsBoundary({ RoleName }).catch(() => undefined)
  else await iam.putRolePermissionsBoundary({ RoleName, PermissionsBoundary: bounded })
  const { Credentials: made } = await new STS({ ...config, credentials: openersKey }).assumeRole({
    RoleArn: `arn:aws:iam::${account}:role/game`,
    RoleSessionName: 'one',
    Tags: tagList(tags),
    ...(session && { Policy: JSON.stringify(session) }),
  })
  return {
    accessKeyId: made?.AccessKeyId ?? '',
    secretAccessKey: made?.SecretAccessKey ?? '',
    sessionToken: made?.SessionToken ?? '',
  }
}

let boundaries = 0

async function boundaryOf(policy: Policy | undefined): Promise<string | undefined> {
  if (policy === undefined) return undefined
  const PolicyName = `boundary-${boundaries++}`
  const { Policy: made } = await iam.createPolicy({ PolicyName, PolicyDocument: JSON.stringify(policy) })
  return made?.Arn
}

function tagList(tags: Readonly<Record<string, string>>): { Key: string; Value: string }[] {
  return Object.entries(tags).map(([Key, Value]) => ({ Key, Value }))
}

/** Whatever else an operation may find wrong, it was let in. */
async function ask(credentials: Credentials, { operation, body }: CaseRequest): Promise<Expected> {
  const { tables, streams } = clientsOf(credentials)
  const client: object = operation === 'ListStreams' ? streams : tables
  const method: unknown = Reflect.get(client, operation.charAt(0).toLowerCase() + operation.slice(1))
  if (typeof method !== 'function') throw new Error(`the SDK has no ${operation}`)
  try {
    return outcomeOfStatements(await Reflect.apply(method, client, [body]))
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error.name !== 'AccessDeniedException') return isAnswered(error) ? 'allowed' : Promise.reject(error)
    return outcomeIn(error.message)
  }
}

const clients = new Map<Credentials, { readonly tables: DynamoDB; readonly streams: DynamoDBStreams }>()

/** Made once for each: to make one takes longer than what is asked through it. */
function clientsOf(credentials: Credentials): { readonly tables: DynamoDB; readonly streams: DynamoDBStreams } {
  const known = clients.get(credentials)
  if (known !== undefined) return known
  const made = {
    tables: new DynamoDB({ ...config, credentials }),
    streams: new DynamoDBStreams({ ...config, credentials }),
  }
  clients.set(credentials, made)
  return made
}

function outcomeIn(message: string): Expected {
  expect(message).toMatch(/^User: arn:aws:(iam|sts)::123456789012:.* is not authorized to perform: (dynamodb|s3):/)
  return message.includes('with an explicit deny in a') ? 'explicit-deny' : 'implicit-deny'
}

/** The statements of a batch are denied one by one. */
function outcomeOfStatements({ Responses: responses }: { readonly Responses?: unknown }): Expected {
  for (const { Error: error } of Array.isArray(responses) ? (responses as BatchStatementResponse[]) : []) {
    if (error?.Code === 'AccessDenied') return outcomeIn(error.Message ?? '')
  }
  return 'allowed'
}

function isAnswered(error: Error): boolean {
  return '$metadata' in error && !/InternalServerError|UnrecognizedClient|Signature/.test(error.name)
}

async function simulate(group: CaseGroup, request: CaseRequest): Promise<Expected> {
  const tables = {
    definitionOf: (scope: typeof caseScope, tableName: string) =>
      known.engine.catalog.find(scope, tableName)?.definition,
  }
  for (const asked of explainAccess(askedOf(group, request, tables))) {
    const outcome = await simulateNeed(group, asked)
    if (outcome !== 'allowed') return outcome
  }
  return 'allowed'
}

const outcomes: Readonly<Record<string, Expected>> = {
  allowed: 'allowed',
  explicitDeny: 'explicit-deny',
  implicitDeny: 'implicit-deny',
}

async function simulateNeed(group: CaseGroup, { need, context }: NeedDecision): Promise<Expected> {
  const policies = [
    ...group.identity,
    ...(group.boundary ? [group.boundary] : []),
    ...(group.resource ? [group.resource] : []),
  ]
  const isOwn = need.table === undefined || need.table.accountId === account
  const { EvaluationResults = [] } = await iam.simulateCustomPolicy({
    // One is required, even if it is about something else.
    PolicyInputList: [...group.identity, aboutNothing].map((policy) => JSON.stringify(policy)),
    ...(group.boundary && { PermissionsBoundaryPolicyInputList: [JSON.stringify(group.boundary)] }),
    ...(group.resource &&
      need.table?.arn === scores && { ResourcePolicy: JSON.stringify(group.resource), CallerArn: ana }),
    ...(!isOwn && { ResourceOwner: need.table?.accountId }),
    ActionNames: [need.action],
    ResourceArns: [need.resource],
    ContextEntries: keysIn(policies).flatMap((key): ContextEntry[] => {
      const value = context.get(key.toLowerCase())
      if (value === undefined) return []
      return typeof value === 'string'
        ? [{ ContextKeyName: key, ContextKeyType: 'string', ContextKeyValues: [value] }]
        : [{ ContextKeyName: key, ContextKeyType: 'stringList', ContextKeyValues: [...value] }]
    }),
  })
  return outcomes[EvaluationResults[0]?.EvalDecision ?? ''] ?? 'implicit-deny'
}

const aboutNothing: Policy = {
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: 'nothing:AtAll', Resource: '*' }],
}

/** Whatever looks like a key of a condition, also within a variable. */
function keysIn(policies: readonly Policy[]): readonly string[] {
  const text = JSON.stringify(policies)
  return [...new Set([...text.matchAll(/(?:aws|dynamodb):[A-Za-z]+(?:\/[A-Za-z]+)?/gi)].map(([key]) => key))]
}
