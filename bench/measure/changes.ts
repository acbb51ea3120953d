import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { callExpectingSuccess } from '../load/call.ts'
import { becomesActive, fillTable } from '../load/fill-table.ts'
import { startHashrange } from '../servers/start-server.ts'
import type { OperationName } from '../workload/operations.ts'
import { alternate, type Contestant } from './alternate.ts'
import type { BenchContext } from './bench-context.ts'
import { LagWatch } from './lag-watch.ts'
import { contestant, templateOf, type MeasurementsByOperation } from './over-http.ts'
import type { RoundResult } from './round-result.ts'

export const plainTable = 'plain'

/** What needs a log of every change. */
export const tablesWithLog = ['with a stream', 'with recovery'] as const

/** In another region of the same server. */
export const replicatedTable = 'with a replica'

const changeOperations: readonly OperationName[] = ['PutItem', 'UpdateItem']

const tableNames = {
  [plainTable]: 'plain',
  'with a stream': 'streamed',
  'with recovery': 'recoverable',
  [replicatedTable]: 'replicated',
} as const

export interface Changes {
  readonly changes: MeasurementsByOperation
  /** How late the replica was at most, while it was written to as fast as possible. */
  readonly replicationLagMs: number
}

/** The same writes to a table whose changes nobody asks for, to one with a stream, to one with point-in-time recovery and to
 *  one with a replica, all in one server. */
export async function measureChanges(context: BenchContext): Promise<Changes> {
  const { options, progress } = context
  const server = await startHashrange(context, join(context.folder, 'changes'))
  for (const tableName of Object.values(tableNames)) {
    await fillTable(context, server.port, tableName, options.smallItemCount)
  }
  await callExpectingSuccess(server.port, 'UpdateTable', {
    TableName: tableNames['with a stream'],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  })
  await becomesActive(server.port, tableNames['with a stream'])
  await callExpectingSuccess(server.port, 'UpdateContinuousBackups', {
    TableName: tableNames['with recovery'],
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  })
  await callExpectingSuccess(server.port, 'UpdateTable', {
    TableName: tableNames[replicatedTable],
    ReplicaUpdates: [{ Create: { RegionName: 'eu-west-1' } }],
  })
  await becomesActive(server.port, tableNames[replicatedTable])

  const lag = new LagWatch(server.port)
  const measurements: MeasurementsByOperation = {}
  for (const operation of changeOperations.filter((name) => options.operations.includes(name))) {
    measurements[operation] = await alternate(
      ([plainTable, ...tablesWithLog, replicatedTable] as const).map((name) => {
        const template = templateOf(operation, tableNames[name], options.smallItemCount)
        const writer = contestant(context, server, template, name)
        return name === replicatedTable ? { ...writer, run: (seconds) => runSettled(writer, lag, seconds) } : writer
      }),
      // What is compared is close together: more and shorter rounds keep a change in the disk's speed out of it.
      { rounds: options.rounds * 2, secondsPerRound: options.secondsPerRound / 2 },
      (text) => progress.show(`${operation} and its log: ${text}`),
    )
  }
  await server.stop()
  return { changes: measurements, replicationLagMs: lag.mostMs }
}

/** A replica follows a moment later. So it is measured once it is busy, and what is left at the end is waited for: the
 *  next round must not pay for it. Processor time is that of all writes, until the replica has them. */
async function runSettled(writer: Contestant, lag: LagWatch, seconds: number): Promise<RoundResult> {
  const before = await writer.run(seconds)
  const measured = await lag.during(writer.run(seconds))
  while ((await lag.pending()) > 0) await pause(20)
  return { ...measured, requests: before.requests + measured.requests }
}
