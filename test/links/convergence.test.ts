import { startPostgres } from '@hashrange/postgres/testing'
import { expect, test } from 'vitest'
import { LinkedServers } from './linked-servers.ts'
import { Ordeal } from './ordeal.ts'

const seed = Number(process.env['HASHRANGE_SEED'])
const isLong = process.env['HASHRANGE_KILLS'] === 'all'
const rounds = isLong ? 30 : 0
const writesPerRound = isLong ? 400 : 40
const regions = ['us-east-1', 'eu-west-1', 'ap-northeast-1']

test('three servers with a store each converge, whatever happens to them and between them', async () => {
  await endure({})
}, 900_000)

// The engine's tests of links run on PostgreSQL as well; whole servers on it are for the long form.
if (isLong) {
  test('so they do if one of them is on PostgreSQL', { timeout: 900_000 }, async () => {
    const postgres = await startPostgres()
    try {
      await endure({ 'eu-west-1': await postgres.newDatabase() })
    } finally {
      await postgres.remove()
    }
  })
}

async function endure(stores: Readonly<Record<string, string>>): Promise<void> {
  const servers = await LinkedServers.start(regions, stores)
  try {
    const ordeal = new Ordeal(servers, randomNumbers(seed))
    const [first = '', second = '', third = ''] = regions
    await ordeal.prepare(first)
    await ordeal.write([first], writesPerRound, 40)
    await Promise.all([ordeal.addReplica(first, second), ordeal.write([first], writesPerRound, 40)])
    await Promise.all([ordeal.addReplica(second, third, true), ordeal.write([first, second], writesPerRound, 40)])
    for (let round = 0; round < rounds; round++) {
      await Promise.all([ordeal.disturb(regions), ordeal.write(regions, writesPerRound, 40)])
    }
    if (ordeal.kills === 0) await servers.kill(second)
    servers.wire(first, third).cut()
    await ordeal.write(regions, writesPerRound, 40)
    await ordeal.converge()
    expect(await ordeal.faults()).toEqual([])
    if (isLong) console.log(`${ordeal.writes} writes, ${ordeal.kills} kills, ${ordeal.cuts} cuts`)
  } finally {
    await servers.close()
  }
}

function randomNumbers(start: number): (below: number) => number {
  let state = start
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
