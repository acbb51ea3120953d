import { randomUUID } from 'node:crypto'
import { describeStore } from '@hashrange/engine/describe-store'
import { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { openPostgresStore } from './postgres-store.ts'
import { describeRanges } from './testing/describe-ranges.ts'
import { describeServers } from './testing/describe-servers.ts'
import { wordPlacement as placement } from './testing/word-placement.ts'

/** A coordinator with the extension `citus`, and at least one worker. */
const url = process.env['HASHRANGE_CITUS_URL']

if (url === undefined) {
  test('the contract on Citus', ({ skip }) => skip('HASHRANGE_CITUS_URL does not name a Citus coordinator'))
} else {
  runOnCitus(url)
}

function runOnCitus(url: string): void {
  const schemas: string[] = []
  const newUrl = (): string => {
    const schema = `test_${randomUUID().replaceAll('-', '')}`
    schemas.push(schema)
    const withSchema = new URL(url)
    withSchema.searchParams.set('schema', schema)
    return withSchema.href
  }

  afterAll(async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    for (const schema of schemas) await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
    await client.end()
  })

  describeStore('Citus', () => openPostgresStore({ url: newUrl(), placement, shards: 16 }))
  describeRanges('Citus', async () => [await openPostgresStore({ url: newUrl() })])
  describeServers('Citus', async () => {
    const shared = newUrl()
    return Promise.all([
      openPostgresStore({ url: shared, placement, shards: 16 }),
      openPostgresStore({ url: shared, placement, shards: 16 }),
    ])
  })

  test('the tables are spread over the nodes', async () => {
    const store = await openPostgresStore({ url: newUrl(), placement })
    await store.close()
    expect(store.about).toMatchObject({ distribution: 'citus', shards: 256 })
    const client = new Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query(
      'SELECT count(DISTINCT nodeport)::int AS nodes FROM citus_shards WHERE table_name = $1::regclass',
      [`${schemas.at(-1)}.entries`],
    )
    await client.end()
    expect(rows).toEqual([{ nodes: 2 }])
  })
}
