import { join } from 'node:path'
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { EmbeddedOrder, EmbeddedWay } from '../embedded/embedded-order.ts'
import type { OperationName } from '../workload/operations.ts'
import type { RequestTemplate } from '../workload/request-template.ts'
import { alternate, type Contestant } from './alternate.ts'
import type { BenchContext } from './bench-context.ts'
import { OrderTaker } from './order-taker.ts'
import { templateOf, type MeasurementsByOperation } from './over-http.ts'
import type { RoundResult } from './round-result.ts'

type Process = OrderTaker<EmbeddedOrder, RoundResult>

const tableName = 'orders'

/** Ours within the caller's process, called directly and through the AWS SDK, and a raw LMDB read as its limit. */
export async function measureEmbedded(context: BenchContext): Promise<MeasurementsByOperation> {
  const { options, progress } = context
  progress.show('embedded: filling the tables')
  const ours = await startFilled(context, 'embedded-process.js', 'embedded')
  const raw = await startFilled(context, 'raw-lmdb-process.js', 'raw')
  const measurements: MeasurementsByOperation = {}
  for (const operation of options.operations) {
    const template = templateOf(operation, tableName, options.smallItemCount)
    const contestants = [
      contestant('embedded', ours, operation, template, 'direct'),
      contestant('embedded, AWS SDK', ours, operation, template, 'client'),
    ]
    if (operation === 'GetItem')
      contestants.unshift(contestant('raw LMDB read', raw, operation, template, 'direct'))
    measurements[operation] = await alternate(
      contestants,
      { rounds: options.rounds, secondsPerRound: options.secondsPerRound / 2 },
      (text) => progress.show(`${operation} within the process: ${text}`),
    )
  }
  for (const one of [ours, raw]) one.stop()
  return measurements
}

async function startFilled(context: BenchContext, moduleName: string, folderName: string): Promise<Process> {
  const folder = join(context.folder, folderName)
  mkdirSync(folder)
  const moduleFile = fileURLToPath(new URL(`../embedded/${moduleName}`, import.meta.url))
  const started: Process = new OrderTaker(folderName, moduleFile, [folder])
  context.resources.add(() => started.stop())
  await started.run({ kind: 'fill', tableName, itemCount: context.options.smallItemCount })
  return started
}

function contestant(
  name: string,
  process: Process,
  operation: OperationName,
  template: RequestTemplate,
  way: EmbeddedWay,
): Contestant {
  return {
    name,
    pid: process.pid,
    run: (seconds) => process.run({ kind: 'run', way, operation, template, seconds }),
  }
}
