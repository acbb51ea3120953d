import { readResourcePolicy } from '@hashrange/access'
import { explainAccess } from '@hashrange/access/closed'
import { openTestEngine, type TestEngine } from '@hashrange/engine/test-engine'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askedOf, caseScope } from './policy-cases/ask.ts'
import { caseTables } from './policy-cases/case-tables.ts'
import { policyCases } from './policy-cases/index.ts'
import { scores, type CaseGroup, type CaseRequest, type Expected } from './policy-cases/policy-case.ts'

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
  const tables = {
    definitionOf: (scope: typeof caseScope, tableName: string) =>
      opened.engine.catalog.find(scope, tableName)?.definition,
  }
  const decided = explainAccess(askedOf(group, request, tables)).map(({ decision }) => decision.outcome)
  return decided.find((outcome) => outcome !== 'allowed') ?? 'allowed'
}

async function execute(operation: string, body: object): Promise<unknown> {
  return opened.engine.execute(caseScope, 'DynamoDB_20120810', operation, body)
}
