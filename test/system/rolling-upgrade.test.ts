import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { schemaVersion } from '@hashrange/postgres'
import { startPostgres, type PostgresServer } from '@hashrange/postgres/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildNextVersion, type NextVersion } from '../support/build-next-version.ts'
import { ServerProcess } from './server-process.ts'
import { WritingClients } from './writing-clients.ts'

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres({ settings: { fsync: 'on' } })
}, 60_000)
afterAll(() => postgres.remove())

const flagsFor = (store: string): readonly string[] => ['--no-workbench', '--shared', '--store', store]
const current = (store: string): Promise<ServerProcess> => ServerProcess.start(flagsFor(store))
const threeServers = 3

const compatible: NextVersion = {
  name: 'compatible',
  statements: ['ALTER TABLE ${data} ADD COLUMN remark text', 'CREATE TABLE ${about}_more (id int4)'],
}

const incompatible: NextVersion = {
  name: 'incompatible',
  raises: 'writableFrom',
  statements: ['ALTER TABLE ${data} ADD COLUMN remark text'],
}

/** Built once, whoever of the tests comes first. */
const builds = new Map<NextVersion, Promise<string>>()
function built(version: NextVersion): Promise<string> {
  const build = builds.get(version) ?? buildNextVersion(version)
  builds.set(version, build)
  return build
}

describe('an upgrade of three servers under load, one after the other', () => {
  test(
    'to a version that adds to the schema: both versions serve side by side, and nothing is lost',
    { timeout: 180_000 },
    async () => {
      const store = await postgres.newDatabase()
      const main = await built(compatible)
      const servers = await Promise.all(Array.from({ length: threeServers }, () => current(store)))
      const clients = await WritingClients.start(servers)
      for (let place = 0; place < threeServers; place++) {
        await clients.haveWritten(50)
        const old = servers[place]
        servers[place] = await ServerProcess.start(flagsFor(store), main)
        expect(await postgres.query('SELECT version FROM hashrange.about', store)).toEqual([
          { version: schemaVersion + 1 },
        ])
        // The others still write beside it.
        for (const server of servers) expect(await server.isReady()).toBe(true)
        await old?.stop()
      }
      await clients.haveWritten(50)
      // And back: a server of the version before can still be started.
      const back = await current(store)
      expect(await back.isReady()).toBe(true)
      await clients.assertNothingLost()
      await Promise.all([...servers, back].map((server) => server.stop()))
    },
  )

  test(
    'to a version that older servers may only read: they pass writes on by refusing them, and nothing is lost',
    { timeout: 180_000 },
    async () => {
      const store = await postgres.newDatabase()
      const main = await built(incompatible)
      const servers = await Promise.all(Array.from({ length: threeServers }, () => current(store)))
      const [, second, third] = servers
      if (second === undefined || third === undefined) throw new Error('there are three servers')
      const clients = await WritingClients.start(servers)
      await clients.haveWritten(50)
      const first = servers[0]
      servers[0] = await ServerProcess.start(flagsFor(store), main)
      await first?.stop()

      await expect.poll(() => second.isReady()).toBe(false)
      const reason = await (await fetch(`${second.endpoint}/ready`)).text()
      expect(reason).toContain('Replace this server with the newer hashrange')
      await expect.poll(() => third.isReady()).toBe(false)
      await expect(second.call('PutItem', clients.anItem)).rejects.toMatchObject({ status: 503 })
      expect(await second.call('GetItem', clients.aKey)).toMatchObject({})
      await expect(current(store)).rejects.toThrow()

      for (const place of [1, 2]) {
        const old = servers[place]
        servers[place] = await ServerProcess.start(flagsFor(store), main)
        await old?.stop()
        await clients.haveWritten(50)
      }
      await clients.assertNothingLost()
      await Promise.all(servers.map((server) => server.stop()))
    },
  )
})

test(
  'a folder that the next version has opened can be opened by the present one',
  { timeout: 120_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hashrange-upgrade-'))
    const flags = ['--no-workbench', '--shared', '--path', folder]
    const main = await built(compatible)
    for (const build of [undefined, main, undefined]) {
      const server = await ServerProcess.start(flags, build)
      const clients = await WritingClients.start([server])
      await clients.haveWritten(20)
      await clients.assertNothingLost()
      await server.stop()
    }
    rmSync(folder, { recursive: true, force: true })
  },
)
