import { fileURLToPath } from 'node:url'
import { startPostgres } from '@hashrange/postgres/testing'
import { Client } from 'pg'
import { fillTable } from '../load/fill-table.ts'
import type { BareSqlOrder } from '../postgres/bare-sql-order.ts'
import { cpuMicrosecondsOf, timesOf, usedBetween, type DatabaseNode } from '../servers/database-node.ts'
import type { ServerProcess } from '../servers/server-process.ts'
import { startHashrangeOn } from '../servers/start-server.ts'
import type { BenchContext } from './bench-context.ts'
import { median } from './median.ts'
import { OrderTaker } from './order-taker.ts'
import { templateOf } from './over-http.ts'
import { bareSql } from './postgres.ts'
import type { RoundResult } from './round-result.ts'

/** What one request costs in processor time, wherever it is spent. */
export interface Cost {
  readonly operation: 'GetItem' | 'Query' | 'PutItem'
  readonly clients: number
  readonly name: string
  readonly perSecond: number
  /** In the servers, or in the process that sends the bare statements. */
  readonly callerMicroseconds: number
  /** In each node of the database. */
  readonly nodes: readonly { readonly name: string; readonly microseconds: number }[]
}

const writers = 30
export const onOnePostgres = 'one PostgreSQL'
export const onCitus = 'Citus'
const tableNames = { plain: 'plain', indexed: 'indexed' } as const

/** Requests of one client beside the bare statements, writes through one, two and three servers, and the same on a Citus
 *  cluster on this machine, if HASHRANGE_CITUS_URL names one. By processor time: on a busy machine, throughput says little. */
export async function measureCosts(context: BenchContext): Promise<readonly Cost[]> {
  context.progress.show('starting PostgreSQL')
  const postgres = await startPostgres({ settings: { fsync: 'on', shared_buffers: '1GB', max_wal_size: '4GB' } })
  try {
    const url = await postgres.newDatabase()
    const servers = await startServers(context, url, 3)
    await postgres.query('VACUUM ANALYZE hashrange.data', url)
    const nodes = await nodesOf(url)
    const bare = new OrderTaker<BareSqlOrder, RoundResult>(
      bareSql,
      fileURLToPath(new URL('../postgres/bare-sql-process.js', import.meta.url)),
      [url, '10'],
    )
    context.resources.add(() => bare.stop())
    await bare.run({ kind: 'choose', count: 20_000 })
    const costs: Cost[] = []
    for (const operation of ['GetItem', 'Query'] as const) {
      const run = (seconds: number) => bare.run({ kind: 'run', operation, callers: 1, seconds })
      const statements = { operation, clients: 1, name: bareSql, pids: [bare.pid], nodes, run }
      costs.push(
        ...(await compared(context, [statements, through(context, servers.slice(0, 1), operation, 1, nodes)])),
      )
    }
    bare.stop()
    const byServers = [1, 2, 3].map((count) =>
      through(context, servers.slice(0, count), 'PutItem', writers, nodes, `${count} of three servers`),
    )
    const patient = await startOn(context, withParameter(url, 'options', patience), 3)
    byServers.push(
      through(context, patient, 'PutItem', writers, nodes, `three servers, commit_delay=${commitDelay}`),
    )
    costs.push(...(await compared(context, byServers)))
    for (const server of patient) await server.stop()
    const citusUrl = process.env['HASHRANGE_CITUS_URL']
    if (citusUrl !== undefined) costs.push(...(await measureCitus(context, servers.slice(0, 1), nodes, citusUrl)))
    for (const server of servers) await server.stop()
    return costs
  } finally {
    await postgres.remove()
  }
}

async function measureCitus(
  context: BenchContext,
  onPostgres: readonly ServerProcess[],
  nodes: readonly DatabaseNode[],
  url: string,
): Promise<readonly Cost[]> {
  const schema = `bench_${Date.now()}`
  const spread = await startServers(context, withParameter(url, 'schema', schema), 1)
  const citusNodes = await nodesOf(url)
  // Each worker gets as many clients as the one PostgreSQL: what they carry is compared.
  const workers = citusNodes.length - 1
  const costs: Cost[] = []
  for (const [table, what] of [
    [tableNames.plain, 'no index'],
    [tableNames.indexed, 'one index'],
  ] as const) {
    costs.push(
      ...(await compared(context, [
        through(context, onPostgres, 'PutItem', writers, nodes, `${onOnePostgres}, ${what}`, table),
        through(context, spread, 'PutItem', writers * workers, citusNodes, `${onCitus}, ${what}`, table),
      ])),
    )
  }
  for (const server of spread) await server.stop()
  await withClient(url, (client) => client.query(`DROP SCHEMA ${schema} CASCADE`))
  return costs
}

/** Microseconds that a commit waits for those of other servers, to share the flush of the log with them. */
const commitDelay = 500
const patience = `-c commit_delay=${commitDelay} -c commit_siblings=1`

function withParameter(url: string, name: string, value: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`
}

async function startOn(context: BenchContext, url: string, count: number): Promise<readonly ServerProcess[]> {
  const servers: ServerProcess[] = []
  while (servers.length < count) servers.push(await startHashrangeOn(context, url))
  return servers
}

/** Servers on a database with two filled tables. */
async function startServers(context: BenchContext, url: string, count: number): Promise<readonly ServerProcess[]> {
  const servers = await startOn(context, url, count)
  const port = servers[0]?.port ?? 0
  const { smallItemCount } = context.options
  await fillTable(context, port, tableNames.indexed, smallItemCount)
  await fillTable(context, port, tableNames.plain, smallItemCount, {
    GlobalSecondaryIndexes: undefined,
    AttributeDefinitions: ['customer', 'order'].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
  })
  return servers
}

interface Measured {
  readonly operation: Cost['operation']
  readonly clients: number
  readonly name: string
  readonly pids: readonly number[]
  readonly nodes: readonly DatabaseNode[]
  readonly run: (seconds: number) => Promise<RoundResult>
}

/** The clients are divided between the servers. */
function through(
  { generator, options }: BenchContext,
  servers: readonly ServerProcess[],
  operation: Cost['operation'],
  connections: number,
  nodes: readonly DatabaseNode[],
  name = 'one server',
  table: string = tableNames.indexed,
): Measured {
  const template = templateOf(operation, table, options.smallItemCount)
  const [port = 0, ...otherPorts] = servers.map((server) => server.port)
  return {
    operation,
    clients: connections,
    name,
    pids: servers.map(({ pid }) => pid),
    nodes,
    run: (seconds) => generator.run({ port, otherPorts, template, connections, seconds }),
  }
}

/** Short rounds in turn after one warm-up each, and the medians of all rounds. */
async function compared({ options, progress }: BenchContext, all: readonly Measured[]): Promise<readonly Cost[]> {
  const rounds = all.map((): Omit<Cost, 'operation' | 'clients' | 'name'>[] => [])
  for (let round = 0; round <= options.rounds; round++) {
    for (const [position, one] of all.entries()) {
      progress.show(`What ${one.operation} costs: ${one.name}, round ${round} of ${options.rounds}`)
      const before = { nodes: one.nodes.map(timesOf), callers: one.pids.map(cpuMicrosecondsOf) }
      const { requests, perSecond } = await one.run(options.secondsPerRound)
      const callers = one.pids.map((pid, place) => cpuMicrosecondsOf(pid) - (before.callers[place] ?? 0))
      const nodes = one.nodes.map((node, place) => ({
        name: node.name,
        microseconds: usedBetween(before.nodes[place] ?? new Map(), timesOf(node)) / requests,
      }))
      const callerMicroseconds = callers.reduce((sum, used) => sum + used, 0) / requests
      if (round > 0) rounds[position]?.push({ perSecond, callerMicroseconds, nodes })
    }
  }
  return all.map(({ operation, clients, name, nodes }, position) => {
    const own = rounds[position] ?? []
    return {
      operation,
      clients,
      name,
      perSecond: median(own.map(({ perSecond }) => perSecond)),
      callerMicroseconds: median(own.map(({ callerMicroseconds }) => callerMicroseconds)),
      nodes: nodes.map((node, place) => ({
        name: node.name,
        microseconds: median(own.map((round) => round.nodes[place]?.microseconds ?? 0)),
      })),
    }
  })
}

/** The database's own process, and those of a coordinator's workers, all on this machine. */
async function nodesOf(url: string): Promise<readonly DatabaseNode[]> {
  const ownPid = `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid`
  return withClient(url, async (client) => {
    const own = await client.query<{ pid: string }>(ownPid)
    const { rowCount } = await client.query(`SELECT 1 FROM pg_extension WHERE extname = 'citus'`)
    const first = { name: rowCount === 0 ? 'PostgreSQL' : 'coordinator', pid: Number(own.rows[0]?.pid) }
    if (rowCount === 0) return [first]
    const workers = await client.query<{ pid: string }>('SELECT result AS pid FROM run_command_on_workers($1)', [
      ownPid,
    ])
    return [first, ...workers.rows.map(({ pid }, place) => ({ name: `worker ${place + 1}`, pid: Number(pid) }))]
  })
}

async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
