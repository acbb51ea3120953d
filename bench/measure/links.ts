import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { callExpectingSuccess } from '../load/call.ts'
import { becomesActive, fillTable } from '../load/fill-table.ts'
import { cpuSeconds } from '../servers/cpu-use.ts'
import { startLinkedServers } from '../servers/start-server.ts'
import type { OperationName } from '../workload/operations.ts'
import { alternate } from './alternate.ts'
import type { BenchContext } from './bench-context.ts'
import { LagWatch } from './lag-watch.ts'
import { contestant, templateOf, type MeasurementsByOperation } from './over-http.ts'

export const unlinkedTable = 'not replicated'
const linkedTable = 'with a replica in a linked server'

const linkOperations: readonly OperationName[] = ['PutItem', 'UpdateItem']
const tableNames = { [unlinkedTable]: 'alone', [linkedTable]: 'linked' } as const

export interface Links {
  readonly links: MeasurementsByOperation
  /** How late the other server was at most, as far as the sender knew: acknowledgements are noted four times a second. */
  readonly linkLagMs: number
  /** What the other server needed of a processor, by write that it received. */
  readonly linkReceiverCpuMicroseconds: number
  /** How long the other server took for what was left when the last write had been answered. */
  readonly linkCatchUpMs: number
}

/** The same writes to a table that is not replicated and to one with a replica in another server, each server in a
 *  process of its own with its own store, linked over HTTP. */
export async function measureLinks(context: BenchContext): Promise<Links> {
  const { options, progress } = context
  const [here, there] = await startLinkedServers(context, join(context.folder, 'links'))
  for (const tableName of Object.values(tableNames)) {
    await fillTable(context, here.port, tableName, options.smallItemCount)
  }
  await callExpectingSuccess(here.port, 'UpdateTable', {
    TableName: tableNames[linkedTable],
    ReplicaUpdates: [{ Create: { RegionName: there.region } }],
  })
  await becomesActive(here.port, tableNames[linkedTable])

  const lag = new LagWatch(here.port)
  const measurements: MeasurementsByOperation = {}
  let receiverSeconds = 0
  let received = 0
  for (const operation of linkOperations.filter((name) => options.operations.includes(name))) {
    measurements[operation] = await alternate(
      ([unlinkedTable, linkedTable] as const).map((name) => {
        const writer = contestant(
          context,
          here,
          templateOf(operation, tableNames[name], options.smallItemCount),
          name,
        )
        if (name !== linkedTable) return writer
        return {
          ...writer,
          run: async (seconds) => {
            const before = (await cpuSeconds(there.pid)) ?? Number.NaN
            const result = await lag.during(writer.run(seconds))
            receiverSeconds += ((await cpuSeconds(there.pid)) ?? Number.NaN) - before
            received += result.requests
            return result
          },
        }
      }),
      options,
      (text) => progress.show(`${operation} and a link: ${text}`),
    )
  }
  const endedAtMs = performance.now()
  while ((await lag.pending()) > 0) await sleep(20)
  const linkCatchUpMs = performance.now() - endedAtMs
  await Promise.all([here.stop(), there.stop()])
  return {
    links: measurements,
    linkLagMs: lag.mostMs,
    linkReceiverCpuMicroseconds: (receiverSeconds / received) * 1e6,
    linkCatchUpMs,
  }
}
