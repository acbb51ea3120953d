import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTableInput } from '../testing/test-engine.ts'
import { TestServers, type TestServer } from '../testing/test-servers.ts'
import { verified } from './testing/filled-engine.ts'
import { harmStill } from './testing/harm-still.ts'
import { seededNumbers } from '../backups/testing/owned-engine.ts'
import { splitHotShards } from '../background/replace-shards.ts'

const table = {
  hash: 'pk',
  range: 'sk:N',
  global: {
    teams: { hash: ['team'], range: ['rank:N'], projection: ['note'] as const },
    ranks: { hash: ['rank:N'] },
  },
  local: { 'by-rank': { range: 'rank:N' } },
} as const

/** Changes items at random until it is told to stop. */
async function write(server: TestServer, seed: number, isOver: () => boolean): Promise<number> {
  const number = seededNumbers(seed)
  let changes = 0
  while (!isOver()) {
    const Key = { pk: { S: `p${number(8)}` }, sk: { N: String(number(40)) } }
    const kind = number(10)
    const team = { S: `t${number(3)}` }
    const attributes = {
      rank: { N: String(number(5)) },
      ttl: { N: String(4_000_000_000 + number(9)) },
      ...(kind > 3 && { team }),
    }
    if (kind < 6) await server.run('PutItem', { TableName: 'live', Item: { ...Key, ...attributes } })
    else if (kind < 8) await server.run('DeleteItem', { TableName: 'live', Key })
    else {
      await server.run('TransactWriteItems', {
        ClientRequestToken: `${seed}-${changes}`,
        TransactItems: [{ Put: { TableName: 'live', Item: { ...Key, ...attributes, note: { S: 'x' } } } }],
      })
    }
    changes++
    // Others have their turn, in this process and in the database's.
    await pause(2)
  }
  return changes
}

test('others may write meanwhile, build indexes and split shards: there are no false alarms', async () => {
  const seed = Number(process.env['HASHRANGE_SEED'])
  const servers = await TestServers.begin()
  const [one, other] = [await servers.open(), await servers.open()]
  await one.run('CreateTable', {
    ...createTableInput('live', table),
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  })
  await one.run('UpdateTimeToLive', {
    TableName: 'live',
    TimeToLiveSpecification: { Enabled: true, AttributeName: 'ttl' },
  })
  let isOver = false
  const writing = [one, other, one, other].map((server, n) => write(server, seed + n, () => isOver))
  try {
    for (let round = 0; round < 4; round++) {
      const index = `made-${round}`
      await one.run('UpdateTable', {
        TableName: 'live',
        AttributeDefinitions: [{ AttributeName: 'note', AttributeType: 'S' }],
        GlobalSecondaryIndexUpdates: [
          {
            Create: {
              IndexName: index,
              KeySchema: [{ AttributeName: 'note', KeyType: 'HASH' }],
              Projection: { ProjectionType: 'ALL' },
            },
          },
        ],
      })
      for (const shard of one.engine.catalog.find({ accountId: '123456789012', region: 'eu-west-1' }, 'live')
        ?.changeLog?.openShards ?? []) {
        shard.heat.count(shard.fromHash, 2 ** 22)
        shard.heat.count(shard.toHash - 1, 2 ** 22)
      }
      if (round % 2 === 1) await splitHotShards(one.engine)
      const { findings, report } = await verified({ store: other.engine.store })
      expect(findings, `seed ${seed}`).toEqual([])
      expect(report).toMatchObject({ isComplete: true, findings: 0 })
      const repair = await verified({ store: one.engine.store }, { repair: true })
      expect(repair.findings, `seed ${seed}`).toEqual([])
      await one.engine.background.idle()
    }
  } finally {
    isOver = true
    const changes = await Promise.all(writing)
    expect(Math.min(...changes)).toBeGreaterThan(5)
  }
  const { findings, report } = await verified({ store: one.engine.store })
  expect(findings).toEqual([])
  expect(report.unchecked).toEqual([])
  await servers.close()
})

test('what is wrong is found and mended while others write', async () => {
  const servers = await TestServers.begin()
  const server = await servers.open()
  await server.run('CreateTable', createTableInput('live', table))
  const store = server.engine.store
  let isOver = false
  const writing = [1, 2, 3].map((seed) => write(server, seed, () => isOver))
  // Items that no writer touches, whose entries and counts are harmed.
  for (let n = 0; n < 20; n++) {
    const Item = { pk: { S: 'still' }, sk: { N: String(n) }, rank: { N: '1' }, team: { S: 'still' } }
    await server.run('PutItem', { TableName: 'live', Item })
  }
  await harmStill(store)
  const first = await verified({ store })
  expect(new Set(first.findings.map(({ kind }) => kind))).toEqual(
    new Set(['index-entry', 'count', 'collection-size']),
  )
  await verified({ store }, { repair: true })
  const second = await verified({ store })
  isOver = true
  await Promise.all(writing)
  expect(second.findings).toEqual([])
  expect((await verified({ store })).findings).toEqual([])
  await servers.close()
})
