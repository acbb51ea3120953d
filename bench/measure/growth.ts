import { join } from 'node:path'
import { fillTable } from '../load/fill-table.ts'
import { MemoryWatch, type MemoryUse } from '../servers/memory-use.ts'
import { startHashrange } from '../servers/start-server.ts'
import { itemsPerBatch, type OperationName } from '../workload/operations.ts'
import { alternate, type Measurement } from './alternate.ts'
import type { BenchContext } from './bench-context.ts'
import { contestant, templateOf } from './over-http.ts'

export interface Growth {
  readonly smallItemCount: number
  readonly largeItemCount: number
  readonly load: { readonly itemsPerSecond: number; readonly seconds: number; readonly memory: MemoryUse }
  readonly operations: readonly GrowthOfOperation[]
}

export interface GrowthOfOperation {
  readonly operation: OperationName
  readonly small: Measurement
  readonly large: Measurement
  /** How many times longer the same request takes at the larger size. */
  readonly slowdown: number
}

const growthOperations: readonly OperationName[] = ['GetItem', 'Query', 'PutItem']

/** The same requests on a small and on a large table of one server. */
export async function measureGrowth(context: BenchContext): Promise<Growth> {
  const { options, progress } = context
  const { smallItemCount, itemCount: largeItemCount } = options
  const server = await startHashrange(context, join(context.folder, 'growth'))
  await fillTable(context, server.port, 'small', smallItemCount)
  const watch = new MemoryWatch(server.pid)
  const loaded = await fillTable(context, server.port, 'large', largeItemCount)
  const memory = await watch.peak()

  const operations: GrowthOfOperation[] = []
  for (const operation of growthOperations.filter((name) => options.operations.includes(name))) {
    const [small, large] = await alternate(
      [
        contestant(context, server, templateOf(operation, 'small', smallItemCount), 'small'),
        contestant(context, server, templateOf(operation, 'large', largeItemCount), 'large'),
      ],
      options,
      (text) => progress.show(`${operation} as tables grow: ${text}`),
    )
    if (small === undefined || large === undefined) continue
    operations.push({ operation, small, large, slowdown: small.perSecond / large.perSecond })
  }
  await server.stop()
  const itemsPerSecond = loaded.perSecond * itemsPerBatch
  return { smallItemCount, largeItemCount, load: { itemsPerSecond, seconds: loaded.seconds, memory }, operations }
}
