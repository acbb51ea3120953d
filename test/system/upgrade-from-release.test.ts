import { schemaVersion } from '@hashrange/postgres'
import { startPostgres, type PostgresServer } from '@hashrange/postgres/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildEarlierVersion, earlierVersion } from '../support/build-earlier-version.ts'
import { describeIf } from '../support/requirement.ts'
import { rounds } from '../support/rounds.ts'
import { ServerProcess } from './server-process.ts'
import { WritingClients } from './writing-clients.ts'

const isLong = rounds(0, 1) === 1
const commit = isLong ? earlierVersion(schemaVersion) : undefined
const writesPerStep = 300

describeIf(
  {
    met: commit !== undefined,
    reason: isLong
      ? 'the history of the repository is needed, of which a shallow clone has nothing (git fetch --unshallow).'
      : 'it builds an earlier version: HASHRANGE_TESTS=all npm test, or npm run upgrade-test.',
  },
  `an upgrade from the release before (${commit?.slice(0, 12) ?? 'not built'}), under load`,
  () => {
    let postgres: PostgresServer
    let earlier: string
    beforeAll(async () => {
      postgres = await startPostgres({ settings: { fsync: 'on' } })
      earlier = await buildEarlierVersion(commit ?? '')
    }, 180_000)
    afterAll(() => postgres.remove())

    const flagsFor = (store: string): readonly string[] => ['--no-workbench', '--shared', '--store', store]
    const about = async (store: string): Promise<About> => {
      const [row] = await postgres.query('SELECT version, readable_from, writable_from FROM hashrange.about', store)
      return row as unknown as About
    }

    test('three servers are replaced one after the other, and back: clients see nothing but retries', async () => {
      const store = await postgres.newDatabase()
      const start = (main?: string): Promise<ServerProcess> => ServerProcess.start(flagsFor(store), main)
      // One after the other: the first sets up the schema.
      const servers = [await start(earlier), await start(earlier), await start(earlier)]
      const before = await about(store)
      const clients = await WritingClients.start(servers)
      for (const place of servers.keys()) {
        await clients.haveWritten(writesPerStep)
        const old = servers[place]
        servers[place] = await start()
        const now = await about(store)
        expect(now.version).toBe(schemaVersion)
        // What the versions say is what the servers of the release before do.
        const rest = servers.slice(place + 1)
        for (const server of rest) expect(await server.call('GetItem', clients.aKey)).toMatchObject({})
        const mayWrite = before.version >= now.writable_from
        for (const server of rest) {
          const write = server.call('PutItem', clients.anItem)
          await (mayWrite
            ? expect(write).resolves.toEqual({})
            : expect(write).rejects.toMatchObject({ status: 503 }))
        }
        await old?.stop()
      }
      await clients.haveWritten(writesPerStep)
      // And back, if the versions allow it.
      if (before.version >= (await about(store)).writable_from) {
        const old = servers[0]
        servers[0] = await start(earlier)
        await old?.stop()
        await clients.haveWritten(writesPerStep)
      }
      await clients.assertNothingLost()
      await Promise.all(servers.map((server) => server.stop()))
    })

    test('two new servers start at the same moment beside old ones', async () => {
      const store = await postgres.newDatabase()
      const start = (main?: string): Promise<ServerProcess> => ServerProcess.start(flagsFor(store), main)
      const servers = [await start(earlier), await start(earlier)]
      const clients = await WritingClients.start(servers)
      await clients.haveWritten(writesPerStep)
      const old = [...servers]
      servers.splice(0, 2, ...(await Promise.all([start(), start()])))
      await clients.haveWritten(writesPerStep)
      await Promise.all(old.map((server) => server.stop()))
      expect((await about(store)).version).toBe(schemaVersion)
      await clients.assertNothingLost()
      await Promise.all(servers.map((server) => server.stop()))
    })
  },
)

interface About {
  readonly version: number
  readonly readable_from: number
  readonly writable_from: number
}
