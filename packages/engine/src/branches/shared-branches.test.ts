import { afterEach, beforeEach, expect, test } from 'vitest'
import { Engine } from '../engine.ts'
import { branchListKey } from '../layout/branch-keys.ts'
import type { Store } from '../store/store.ts'
import { DyingStore } from '../testing/dying-store.ts'
import { createTableInput, testScope } from '../testing/test-engine.ts'
import { TestServers, type TestServer } from '../testing/test-servers.ts'
import { branchSpaces } from '../verify/check-branches.ts'
import type { Finding } from '../verify/finding.ts'
import { verifyStore } from '../verify/verify-store.ts'
import { toPlain } from '../wire/raw-json.ts'
import { parseBranchList } from './branch-definition.ts'
import { Branches } from './branches.ts'

interface Server extends TestServer {
  readonly branches: Branches
}

type Read = Readonly<Record<string, { readonly S?: string; readonly N?: string }>>

let servers: TestServers

beforeEach(async () => {
  servers = await TestServers.begin()
})

afterEach(() => servers.close())

async function openServer(): Promise<Server> {
  const branches = await Branches.open(await servers.openStore())
  return { ...(await servers.open({ store: branches.main })), branches }
}

async function soundness(store: Store): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  await verifyStore({ store, onFinding: (finding) => findings.push(finding) })
  return findings
}

const pairs = 12

/** Writes the same number to both items of a pair, again and again, until it is told to stop. */
async function write({ run }: TestServer, turn: number, stopping: { readonly aborted: boolean }): Promise<number> {
  let count = 0
  for (let n = turn; !stopping.aborted; n += 2) {
    const Put = (side: string): object => ({
      Put: {
        TableName: 'pairs',
        Item: { pk: { S: `${side}${n % pairs}` }, n: { N: `${n}` }, g: { S: `${n % 3}` } },
      },
    })
    await run('TransactWriteItems', { TransactItems: [Put('a'), Put('b')] }).then(
      () => count++,
      // Both servers may write the same pair.
      (error: unknown) => expect(String(error)).toContain('Transaction'),
    )
    await new Promise((resolve) => setImmediate(resolve))
  }
  return count
}

async function numbersIn(engine: Engine, IndexName?: string): Promise<string> {
  const answer = toPlain(
    await engine.execute(testScope, 'DynamoDB_20120810', 'Scan', {
      TableName: 'pairs',
      ...(IndexName && { IndexName }),
    }),
  ) as { readonly Items: readonly Read[] }
  const numbers = new Map(answer.Items.map(({ pk, n }) => [pk?.S ?? '', n?.N ?? '']))
  for (let pair = 0; pair < pairs; pair++) expect(numbers.get(`a${pair}`)).toBe(numbers.get(`b${pair}`))
  return [...numbers]
    .map((entry) => entry.join('='))
    .toSorted()
    .join(' ')
}

test('a branch is one moment of what several servers write, and stays it', async () => {
  const one = await openServer()
  const other = await openServer()
  const index = { hash: ['g'] }
  await one.run('CreateTable', createTableInput('pairs', { hash: 'pk', global: { 'by-g': index } }))
  await one.run('UpdateTable', {
    TableName: 'pairs',
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
  })
  const stopping = { aborted: false }
  const writing = [one, other, one].map((server, turn) => write(server, turn, stopping))
  const engines: Engine[] = []
  const branched: { readonly engine: Engine; readonly before: string }[] = []
  for (const [n, server] of [one, other].entries()) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    const made = await server.branches.create({
      name: `branch${n}`,
      kind: 'branch',
      atMs: server.engine.clock.steady(),
      steady: () => server.engine.clock.steady(),
      announce: () => server.engine.catalog.announce(),
    })
    const engine = await Engine.open({ store: server.branches.storeOf(made), onBackgroundError: () => undefined })
    engines.push(engine)
    branched.push({ engine, before: await numbersIn(engine) })
  }
  await new Promise((resolve) => setTimeout(resolve, 100))
  stopping.aborted = true
  const counts = await Promise.all(writing)
  expect(counts.every((count) => count > 0)).toBe(true)
  for (const { engine, before } of branched) {
    expect(await numbersIn(engine)).toBe(before)
    expect(await numbersIn(engine, 'by-g')).toBe(before)
    expect(await soundness(engine.store)).toEqual([])
  }
  // The other server finds the branch that the first has made, and what is written to it.
  const [found] = await other.branches.list()
  if (found === undefined) throw new Error('the branch is not listed')
  const again = await Engine.open({ store: other.branches.storeOf(found), onBackgroundError: () => undefined })
  engines.push(again)
  const put = { TableName: 'pairs', Item: { pk: { S: 'only here' }, g: { S: '1' } } }
  await branched[0]?.engine.execute(testScope, 'DynamoDB_20120810', 'PutItem', put)
  const get = { TableName: 'pairs', Key: { pk: { S: 'only here' } }, ConsistentRead: true }
  expect(toPlain(await again.execute(testScope, 'DynamoDB_20120810', 'GetItem', get))).toMatchObject({
    Item: { pk: { S: 'only here' } },
  })
  expect(await one.run('GetItem', get)).toEqual({})
  expect(await soundness(one.branches.main)).toEqual([])
  await one.branches.delete('branch0', 'branch')
  await expect((async () => again.execute(testScope, 'DynamoDB_20120810', 'PutItem', put))()).rejects.toThrow(
    'The branch has been deleted',
  )
  await Promise.all(engines.map((engine) => engine.close()))
  await other.branches.delete('branch1', 'branch')
  expect(await soundness(other.branches.main)).toEqual([])
})

test('a deletion that was cut off is finished by the next server at once, or by deleting again', async () => {
  const one = await openServer()
  await one.run('CreateTable', createTableInput('things', { hash: 'pk' }))
  const put = { TableName: 'things', Item: { pk: { S: 'a' } } }
  for (const transactions of [0, 1, 2, 3]) {
    const store = await servers.openStore()
    const dying = new DyingStore(store)
    const branches = await Branches.open(dying)
    const atMs = Date.now()
    const made = await branches.create({ name: 'young', kind: 'branch', atMs, steady: () => Date.now() })
    const engine = await Engine.open({ store: branches.storeOf(made), onBackgroundError: () => undefined })
    await engine.execute(testScope, 'DynamoDB_20120810', 'PutItem', put)
    await engine.close()
    dying.dieAfter(transactions, transactions === 0)
    await branches.delete('young', 'branch').catch(() => undefined)
    expect(dying.isDead).toBe(true)
    if (transactions % 2 === 0) await one.branches.removeAbandoned(atMs - 60_000)
    else await one.branches.delete('young', 'branch')
    expect(await one.branches.list()).toEqual([])
    expect(await entriesOfBranches(store)).toBe(0)
    await store.close()
  }
  expect(await one.run('Scan', { TableName: 'things' })).toMatchObject({ Count: 0 })
})

async function entriesOfBranches(store: Store): Promise<number> {
  let count = parseBranchList(await store.view((snapshot) => snapshot.get(branchListKey()))).branches.length
  for (const space of branchSpaces) {
    const range = { from: Buffer.of(space), to: Buffer.of(space + 1) }
    await store.view((snapshot) => snapshot.range(range, () => ++count > 0))
  }
  return count
}
