import {
  compilePolicy,
  explainAccess,
  parsePolicy,
  readResourcePolicy,
  type AuthorizedRequest,
  type CompiledPolicy,
  type Principal,
} from '@hashrange/access'
import { openTestEngine, type TestEngine } from '@hashrange/engine/test-engine'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { caseTables } from './policy-cases/case-tables.ts'
import { policyCases } from './policy-cases/index.ts'
import {
  account,
  ana,
  gameRole,
  gameSession,
  region,
  scores,
  type CaseGroup,
  type CaseRequest,
  type Expected,
  type Policy,
} from './policy-cases/policy-case.ts'

const scope = { accountId: account, region }
let opened: TestEngine

beforeAll(async () => {
  opened = await openTestEngine(undefined, { readResourcePolicy })
  for (const table of caseTables) await execute('CreateTable', table)
})

afterAll(() => opened.close())

test('there are at least two hundred cases', () => {
  expect(policyCases.flatMap(({ requests }) => requests).length).toBeGreaterThanOrEqual(200)
  const names = policyCases.map(({ about }) => about)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

describe.each(policyCases)('$about', (group) => {
  beforeAll(async () => {
    await execute('DeleteResourcePolicy', { ResourceArn: scores })
    if (group.resource === undefined) return
    await execute('PutResourcePolicy', { ResourceArn: scores, Policy: JSON.stringify(group.resource) })
  })

  test.each(group.requests)('%s', (_, request, expected) => {
    expect(decide(group, request)).toBe(expected)
  })
})

/** A request is refused for the first of its needs that is not allowed. */
function decide(group: CaseGroup, request: CaseRequest): Expected {
  const decided = explainAccess(asked(group, request)).map(({ decision }) => decision.outcome)
  return decided.find((outcome) => outcome !== 'allowed') ?? 'allowed'
}

function asked(group: CaseGroup, { operation, body }: CaseRequest): AuthorizedRequest {
  const isStream = operation === 'ListStreams'
  return {
    facts: {
      principal: principalOf(group),
      region,
      isSecure: false,
      sourceIp: '127.0.0.1',
      nowMs: Date.UTC(2026, 10, 16),
      ...(group.as === 'session' && { tokenIssuedAtMs: Date.UTC(2026, 10, 15) }),
    },
    policies: {
      identity: group.identity.map(compile),
      ...(group.boundary && { boundary: compile(group.boundary) }),
      ...(group.session && { session: [compile(group.session)] }),
    },
    scope,
    target: isStream ? 'DynamoDBStreams_20120810' : 'DynamoDB_20120810',
    operation,
    body,
    tables: { definitionOf: (of, tableName) => opened.engine.catalog.find(of, tableName)?.definition },
  }
}

function principalOf({ as, tags = {} }: CaseGroup): Principal {
  return as === 'session'
    ? {
        kind: 'role-session',
        accountId: account,
        arn: gameSession,
        userId: 'AROAGAME:one',
        roleArn: gameRole,
        tags,
      }
    : { kind: 'user', accountId: account, arn: ana, userId: 'AIDAANA', userName: 'ana', tags }
}

function compile(policy: Policy): CompiledPolicy {
  return compilePolicy(parsePolicy(JSON.stringify(policy), 'identity'))
}

async function execute(operation: string, body: object): Promise<unknown> {
  return opened.engine.execute(scope, 'DynamoDB_20120810', operation, body)
}
