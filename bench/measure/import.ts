import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { BareLoadOrder } from '../import/bare-load-order.ts'
import { writeItemFiles, type ItemFiles } from '../import/item-files.ts'
import { callExpectingSuccess } from '../load/call.ts'
import { fillTable } from '../load/fill-table.ts'
import { cpuSeconds } from '../servers/cpu-use.ts'
import { MemoryWatch, type MemoryUse } from '../servers/memory-use.ts'
import type { ServerProcess } from '../servers/server-process.ts'
import { startHashrange } from '../servers/start-server.ts'
import { importTableInput } from '../workload/operations.ts'
import { concurrency, type BenchContext } from './bench-context.ts'
import { OrderTaker } from './order-taker.ts'
import { templateOf } from './over-http.ts'
import type { RoundResult } from './round-result.ts'

export interface Import {
  readonly itemCount: number
  readonly files: ItemFiles
  readonly bare: BulkLoadRate
  readonly ours: BulkLoadRate
  /** The import's rate by that of the bare load. */
  readonly timesBare: number
  /** A table beside the imported one: whether the import leaves the store in a state that makes writes slow. */
  readonly putItem: { readonly before: RoundResult; readonly after: RoundResult }
}

export interface BulkLoadRate {
  readonly itemsPerSecond: number
  readonly seconds: number
  /** Processor time by item; NaN where the system does not tell. */
  readonly cpuMicroseconds: number
  readonly memory: MemoryUse
}

const bucket = 'items'
const neighbour = 'neighbour'
const pollEveryMs = 20

/** ImportTable from a folder of files, between two bare bulk loads of the same bytes into LMDB. */
export async function measureImport(context: BenchContext): Promise<Import> {
  const { options, progress } = context
  const { itemCount } = options
  const buckets = join(context.folder, 'buckets')
  const files = await writeItemFiles(join(buckets, bucket), itemCount, (number, count) =>
    progress.show(`import: writing file ${number} of ${count}`),
  )
  const bareBefore = await bareLoad(context, 'bare-before')

  const server = await startHashrange(context, join(context.folder, 'import'), '--buckets', buckets)
  await fillTable(context, server.port, neighbour, options.smallItemCount)
  await putItems(context, server)
  const before = await putItems(context, server)
  const ours = await rateOf(server.pid, itemCount, () => importItems(context, server))
  const after = await putItems(context, server)
  await server.stop()

  const bareAfter = await bareLoad(context, 'bare-after')
  const bare = meanOf(bareBefore, bareAfter)
  const timesBare = ours.itemsPerSecond / bare.itemsPerSecond
  return { itemCount, files, bare, ours, timesBare, putItem: { before, after } }
}

async function importItems({ options, progress }: BenchContext, { port }: ServerProcess): Promise<number> {
  const startedAtMs = performance.now()
  let answer = await callExpectingSuccess(port, 'ImportTable', importTableInput(bucket, 'imported'))
  for (;;) {
    const description = answer['ImportTableDescription'] as {
      readonly ImportArn: string
      readonly ImportStatus: string
      readonly ImportedItemCount: number
    }
    const { ImportArn, ImportStatus: status, ImportedItemCount: imported } = description
    if (status !== 'IN_PROGRESS') {
      if (status === 'COMPLETED' && imported === options.itemCount) return (performance.now() - startedAtMs) / 1_000
      throw new Error(`The import ended otherwise than it should: ${JSON.stringify(description)}`)
    }
    progress.show(`import: ${imported.toLocaleString('en-US')} items`)
    await sleep(pollEveryMs)
    answer = await callExpectingSuccess(port, 'DescribeImport', { ImportArn })
  }
}

async function bareLoad(
  { folder, options, progress, resources }: BenchContext,
  name: string,
): Promise<BulkLoadRate> {
  progress.show('import: bare LMDB')
  const { itemCount } = options
  const path = join(folder, name)
  mkdirSync(path)
  const moduleFile = fileURLToPath(new URL('../import/bare-load-process.js', import.meta.url))
  const loader = new OrderTaker<BareLoadOrder, { readonly seconds: number }>('bare LMDB', moduleFile)
  resources.add(() => loader.stop())
  const rate = await rateOf(loader.pid, itemCount, async () => {
    const { seconds } = await loader.run({ path: join(path, 'bare.mdb'), itemCount })
    return seconds
  })
  loader.stop()
  return rate
}

function putItems({ generator, options }: BenchContext, { port }: ServerProcess): Promise<RoundResult> {
  const template = templateOf('PutItem', neighbour, options.smallItemCount)
  return generator.run({ port, template, connections: concurrency, seconds: options.secondsPerRound })
}

/** `load` returns its seconds. */
async function rateOf(pid: number, itemCount: number, load: () => Promise<number>): Promise<BulkLoadRate> {
  const watch = new MemoryWatch(pid)
  const cpuBefore = await cpuSeconds(pid)
  const seconds = await load()
  const cpuAfter = await cpuSeconds(pid)
  const used = (cpuAfter ?? Number.NaN) - (cpuBefore ?? Number.NaN)
  return {
    itemsPerSecond: itemCount / seconds,
    seconds,
    cpuMicroseconds: (used / itemCount) * 1e6,
    memory: await watch.peak(),
  }
}

function meanOf(one: BulkLoadRate, other: BulkLoadRate): BulkLoadRate {
  const seconds = (one.seconds + other.seconds) / 2
  return {
    itemsPerSecond: (one.itemsPerSecond * one.seconds) / seconds,
    seconds,
    cpuMicroseconds: (one.cpuMicroseconds + other.cpuMicroseconds) / 2,
    memory: one.memory,
  }
}
