import { expect, test } from 'vitest'
import type { ServerProcess } from './server-process.ts'
import { threeServers } from './three-servers.ts'

const servers = threeServers()
const StackName = 'shop'

const attributes = {
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
}

const tables = (from: number, count: number): object =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [
      `Table${from + n}`,
      { Type: 'AWS::DynamoDB::Table', Properties: { TableName: `table-${from + n}`, ...attributes } },
    ]),
  )

test('a stack whose server is killed is finished, or rolled back, by another', { timeout: 300_000 }, async () => {
  const [first, second, third] = servers()
  const Replicas = [{ Region: 'us-east-1' }, { Region: 'eu-west-1' }]
  const Everywhere = {
    Type: 'AWS::DynamoDB::GlobalTable',
    Properties: { TableName: 'everywhere', ...attributes, Replicas },
  }
  await deploy(first, 'CreateStack', { ...tables(0, 40), Everywhere })
  await expect.poll(() => countOf(second), { timeout: 100_000, interval: 20 }).toBeGreaterThan(3)
  await first.kill()
  await expect.poll(() => statusOf(second), { timeout: 100_000, interval: 100 }).toBe('CREATE_COMPLETE')
  expect((await namesOn(third)).length).toBe(41)
  const { Table } = await third.call<{ Table: { Replicas: unknown } }>('DescribeTable', { TableName: 'everywhere' })
  expect(Table.Replicas).toMatchObject([{ RegionName: 'eu-west-1', ReplicaStatus: 'ACTIVE' }])

  // A name that is too short is refused once its turn comes, after the others.
  const bad = { Type: 'AWS::DynamoDB::Table', DependsOn: 'Table79', Properties: { TableName: 'x', ...attributes } }
  await deploy(second, 'UpdateStack', { ...tables(0, 80), Everywhere, Bad: bad })
  await expect.poll(() => countOf(third), { timeout: 100_000, interval: 20 }).toBeGreaterThan(44)
  await second.kill()
  await expect.poll(() => statusOf(third), { timeout: 100_000, interval: 100 }).toBe('UPDATE_ROLLBACK_COMPLETE')
  expect((await namesOn(third)).length).toBe(41)
})

async function deploy(server: ServerProcess, action: string, Resources: object): Promise<void> {
  await ask(server, action, { TemplateBody: JSON.stringify({ Resources }) })
}

async function statusOf(server: ServerProcess): Promise<string> {
  const text = await ask(server, 'DescribeStacks')
  return /<StackStatus>(\w+)<\/StackStatus>/.exec(text)?.[1] ?? text
}

/** How many resources are made. */
async function countOf(server: ServerProcess): Promise<number> {
  const text = await ask(server, 'DescribeStackResources')
  return text.match(/<ResourceStatus>(?:CREATE|UPDATE)_COMPLETE</g)?.length ?? 0
}

async function namesOn(server: ServerProcess): Promise<readonly string[]> {
  const { TableNames } = await server.call<{ TableNames: readonly string[] }>('ListTables', {})
  return TableNames
}

async function ask(
  server: ServerProcess,
  Action: string,
  input: Readonly<Record<string, string>> = {},
): Promise<string> {
  const response = await fetch(server.endpoint, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'X-Amz-Date': '20260101T000000Z',
      Authorization:
        'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/cloudformation/aws4_request, SignedHeaders=host, Signature=0',
    },
    body: new URLSearchParams({ Action, Version: '2010-05-15', StackName, ...input }),
  })
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return text
}
