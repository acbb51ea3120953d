import { fileURLToPath } from 'node:url'
import { startPostgres } from '@hashrange/postgres/testing'
import { fillTable } from '../load/fill-table.ts'
import type { LoadOrder } from '../load/load-order.ts'
import type { BareSqlOrder } from '../postgres/bare-sql-order.ts'
import type { ServerProcess } from '../servers/server-process.ts'
import { startHashrangeOn } from '../servers/start-server.ts'
import { alternate, type Contestant } from './alternate.ts'
import { concurrency, type BenchContext } from './bench-context.ts'
import type { GrowthOfOperation } from './growth.ts'
import { OrderTaker } from './order-taker.ts'
import { contestant, templateOf, type MeasurementsByOperation } from './over-http.ts'
import type { RoundResult } from './round-result.ts'

export const bareSql = 'bare SQL'
export const oneServer = 'one server'
export const twoServers = 'two servers'
const withReplica = 'a server with a replica'

export interface OnPostgres {
  readonly smallItemCount: number
  readonly largeItemCount: number
  readonly operations: MeasurementsByOperation
  readonly growth: readonly GrowthOfOperation[]
}

const measured = ['GetItem', 'Query', 'PutItem'] as const
const connections = 10

/** Servers on a PostgreSQL of their own, durable: beside the bare statements, alone, two at once and with a replica, on a small and on a large table. */
export async function measurePostgres(context: BenchContext): Promise<OnPostgres> {
  const { options, progress, resources } = context
  progress.show('starting PostgreSQL')
  const postgres = await startPostgres({ settings: { fsync: 'on', shared_buffers: '1GB', max_wal_size: '4GB' } })
  try {
    const url = await postgres.newDatabase()
    const servers = [await startHashrangeOn(context, url), await startHashrangeOn(context, url)] as const
    await fillTable(context, servers[0].port, 'small', options.smallItemCount)
    await postgres.query('VACUUM ANALYZE hashrange.data', url)
    const bare = new OrderTaker<BareSqlOrder, RoundResult>(
      bareSql,
      fileURLToPath(new URL('../postgres/bare-sql-process.js', import.meta.url)),
      [url, String(connections)],
    )
    resources.add(() => bare.stop())
    await bare.run({ kind: 'choose', count: 20_000 })

    const replica = await postgres.startStandby()
    const replicated = await startHashrangeOn(context, `${url}?read_replicas=127.0.0.1:${replica.port}`)

    const operations: MeasurementsByOperation = {}
    for (const operation of measured) {
      const template = templateOf(operation, 'small', options.smallItemCount)
      operations[operation] = await alternate(
        [
          bareContestant(bare, operation),
          contestant(context, servers[0], template, oneServer),
          bothContestant(context, servers, template),
          // On a machine of its own a replica adds what this machine has not got: here it shows that the way there costs nothing.
          ...(operation === 'PutItem' ? [] : [contestant(context, replicated, template, withReplica)]),
        ],
        options,
        (text) => progress.show(`${operation} on PostgreSQL: ${text}`),
      )
    }
    bare.stop()
    await replicated.stop()
    await replica.remove()
    const growth = await measureGrowth(context, servers[0], () =>
      postgres.query('VACUUM ANALYZE hashrange.data', url),
    )
    for (const server of servers) await server.stop()
    const { smallItemCount, itemCount: largeItemCount } = options
    return { smallItemCount, largeItemCount, operations, growth }
  } finally {
    await postgres.remove()
  }
}

async function measureGrowth(
  context: BenchContext,
  server: ServerProcess,
  vacuum: () => Promise<unknown>,
): Promise<readonly GrowthOfOperation[]> {
  const { options, progress } = context
  await fillTable(context, server.port, 'large', options.itemCount)
  await vacuum()
  const growth: GrowthOfOperation[] = []
  for (const operation of measured) {
    const [small, large] = await alternate(
      [
        contestant(context, server, templateOf(operation, 'small', options.smallItemCount), 'small'),
        contestant(context, server, templateOf(operation, 'large', options.itemCount), 'large'),
      ],
      options,
      (text) => progress.show(`${operation} on PostgreSQL as tables grow: ${text}`),
    )
    if (small !== undefined && large !== undefined) {
      growth.push({ operation, small, large, slowdown: small.perSecond / large.perSecond })
    }
  }
  return growth
}

function bareContestant(
  bare: OrderTaker<BareSqlOrder, RoundResult>,
  operation: (typeof measured)[number],
): Contestant {
  return {
    name: bareSql,
    pid: bare.pid,
    isCaller: true,
    run: (seconds) => bare.run({ kind: 'run', operation, callers: concurrency, seconds }),
  }
}

/** Each server has as many requests at once as the one alone. */
function bothContestant(
  { generator }: BenchContext,
  [one, other]: readonly [ServerProcess, ServerProcess],
  template: LoadOrder['template'],
): Contestant {
  return {
    name: twoServers,
    pid: one.pid,
    run: (seconds) =>
      generator.run({ port: one.port, otherPorts: [other.port], template, connections: 2 * concurrency, seconds }),
  }
}
