import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startPostgres, type PostgresServer } from '@hashrange/postgres/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ServerProcess } from '../system/server-process.ts'

interface Dashboard {
  readonly panels: readonly {
    readonly id: number
    readonly title: string
    readonly targets?: readonly { readonly expr: string }[]
  }[]
}

const path = fileURLToPath(new URL('../../deploy/grafana/hashrange.json', import.meta.url))
const dashboard = JSON.parse(readFileSync(path, 'utf8')) as Dashboard

let postgres: PostgresServer
let replica: PostgresServer
let server: ServerProcess
beforeAll(async () => {
  postgres = await startPostgres()
  replica = await postgres.startStandby()
  const store = `${postgres.url}?read_replicas=127.0.0.1:${replica.port}`
  server = await ServerProcess.start(['--no-workbench', '--shared', '--store', store])
}, 60_000)
afterAll(async () => {
  await server.kill()
  await Promise.all([postgres.remove(), replica.remove()])
})

test('the dashboard asks only for metrics that a server has', async () => {
  const TableName = 'shown'
  const Item = { pk: { S: 'one' } }
  await server.call('CreateTable', {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  })
  await server.call('PutItem', { TableName, Item })
  await server.call('GetItem', { TableName, Key: Item })
  await server
    .call('PutItem', { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' })
    .catch(() => undefined)
  await server.call('GetItem', { TableName, Key: {} }).catch(() => undefined)
  // How far a replica is behind is known once it has answered.
  await expect.poll(() => metricsPage()).toContain('hashrange_store_replica_lag_seconds{')
  const page = await metricsPage()
  const names = new Set([...page.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name ?? ''))
  // What has not happened yet is not shown yet.
  for (const name of metricNamesOfSource()) names.add(name)
  const isExported = (name: string): boolean =>
    names.has(name) || names.has(name.replace(/_(?:bucket|count|sum)$/, ''))

  const asked = dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.flatMap(({ expr }) =>
      (expr.match(/\b(?:hashrange|process)_\w+/g) ?? []).map((name) => ({ title, name })),
    ),
  )
  expect(asked.length).toBeGreaterThan(25)
  expect(asked.filter(({ name }) => !isExported(name))).toEqual([])
})

test('the panels of the dashboard are told apart', () => {
  const ids = dashboard.panels.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

async function metricsPage(): Promise<string> {
  return (await fetch(`${server.endpoint}/metrics`)).text()
}

/** Of CloudWatch's metrics, as the page names them. */
function metricNamesOfSource(): readonly string[] {
  const source = readFileSync(
    fileURLToPath(new URL('../../packages/engine/src/metering/metric-names.ts', import.meta.url)),
    'utf8',
  )
  return [...source.matchAll(/'([A-Z]\w+)'/g)].map(([, name = '']) => {
    const snake = name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
    return `hashrange_dynamodb_${snake}_total`
  })
}
