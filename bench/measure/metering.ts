import { join } from 'node:path'
import { fillTable } from '../load/fill-table.ts'
import { startMetering } from '../servers/start-server.ts'
import type { OperationName } from '../workload/operations.ts'
import { alternate } from './alternate.ts'
import type { BenchContext } from './bench-context.ts'
import { contestant, templateOf, type MeasurementsByOperation } from './over-http.ts'

export const metered = 'metered'
export const unmetered = 'unmetered'

const meteredOperations: readonly OperationName[] = ['GetItem', 'PutItem']

/** The same requests to two servers that differ in nothing but their metering. */
export async function measureMetering(context: BenchContext): Promise<MeasurementsByOperation> {
  const { options, progress } = context
  const servers = [
    { name: unmetered, server: await startMetering(context, join(context.folder, 'unmetered'), 'off') },
    { name: metered, server: await startMetering(context, join(context.folder, 'metered'), 'on') },
  ]
  for (const { server } of servers) await fillTable(context, server.port, 'orders', options.smallItemCount)
  const measurements: MeasurementsByOperation = {}
  for (const operation of meteredOperations.filter((name) => options.operations.includes(name))) {
    measurements[operation] = await alternate(
      servers.map(({ name, server }) =>
        contestant(context, server, templateOf(operation, 'orders', options.smallItemCount), name),
      ),
      // What is compared is close together: many short rounds keep the machine's moods out of it.
      { rounds: options.rounds * 4, secondsPerRound: options.secondsPerRound / 2 },
      (text) => progress.show(`${operation} and its metering: ${text}`),
    )
  }
  for (const { server } of servers) await server.stop()
  return measurements
}
