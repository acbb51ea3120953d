import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fillTable, loadItems } from '../load/fill-table.ts'
import { MemoryWatch } from '../servers/memory-use.ts'
import type { ServerProcess } from '../servers/server-process.ts'
import { startHashrange } from '../servers/start-server.ts'
import type { BenchContext } from './bench-context.ts'

export interface Triggers {
  readonly records: number
  readonly recordsPerSecond: number
  readonly callsPerSecond: number
  /** Of the server, at most, without the pages of files. */
  readonly memoryBytes: number
  /** The same while the function of a table never answers: after as many changes, and after a quarter of them. */
  readonly standingStillBytes: number
  readonly standingStillEarlyBytes: number
}

const tableName = 'triggered'
const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' }

/** How fast changes that are already in a stream go through a function that does nothing, in batches of 100. */
export async function measureTriggers(context: BenchContext): Promise<Triggers> {
  const { options, progress, folder } = context
  const records = options.smallItemCount * 10
  const path = join(folder, 'triggers')
  const idle = join(folder, 'does-nothing')
  writeFileSync(`${idle}.mjs`, 'export const handler = async () => undefined\n')
  const filler = await startHashrange(context, path)
  await fillTable(context, filler.port, tableName, records, { StreamSpecification })
  await filler.stop()

  progress.show('changes through a function')
  const trigger = ['--function', `idle=${idle}.handler`, '--trigger', `${tableName}=idle`]
  const server = await startHashrange(context, path, ...trigger)
  const memory = new MemoryWatch(server.pid)
  const { recordsPerSecond, callsPerSecond } = await rateOf(server, records)
  const { rssBytes, anonymousBytes = rssBytes } = await memory.peak()
  await server.stop()
  return {
    records,
    recordsPerSecond,
    callsPerSecond,
    memoryBytes: anonymousBytes,
    ...(await standingStill(context, records)),
  }
}

/** From the first batches on: to start a process takes as long as it takes. */
async function rateOf(
  server: ServerProcess,
  records: number,
): Promise<Pick<Triggers, 'recordsPerSecond' | 'callsPerSecond'>> {
  let first: { readonly atMs: number; readonly records: number; readonly calls: number } | undefined
  for (;;) {
    const now = await figuresOf(server)
    if (first === undefined && now.records > 0) first = now
    if (first !== undefined && now.records >= records) {
      const seconds = (now.atMs - first.atMs) / 1_000
      return {
        recordsPerSecond: (now.records - first.records) / seconds,
        callsPerSecond: (now.calls - first.calls) / seconds,
      }
    }
    await sleep(20)
  }
}

async function figuresOf(server: ServerProcess): Promise<{ atMs: number; records: number; calls: number }> {
  const text = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text()
  const valueOf = (name: string): number =>
    Number(new RegExp(`^hashrange_trigger_${name}_total\\{.*\\} (\\S+)$`, 'm').exec(text)?.[1] ?? 0)
  return { atMs: performance.now(), records: valueOf('records'), calls: valueOf('calls') }
}

/** What waits for a function is in the store, however much it is. */
async function standingStill(
  context: BenchContext,
  records: number,
): Promise<Pick<Triggers, 'standingStillBytes' | 'standingStillEarlyBytes'>> {
  const stuck = join(context.folder, 'never-answers')
  writeFileSync(`${stuck}.mjs`, 'export const handler = () => new Promise(() => setInterval(() => {}, 60_000))\n')
  const trigger = ['--function', `stuck=${stuck}.handler`, '--trigger', `${tableName}=stuck`]
  const server = await startHashrange(context, join(context.folder, 'standing-still'), ...trigger)
  const quarter = Math.ceil(records / 4)
  await fillTable(context, server.port, tableName, quarter, { StreamSpecification })
  const standingStillEarlyBytes = await anonymousBytesOf(server)
  for (let loaded = quarter; loaded < records; loaded += quarter)
    await loadItems(context, server.port, tableName, quarter)
  const standingStillBytes = await anonymousBytesOf(server)
  await server.stop()
  return { standingStillBytes, standingStillEarlyBytes }
}

async function anonymousBytesOf(server: ServerProcess): Promise<number> {
  const memory = new MemoryWatch(server.pid)
  await sleep(1_000)
  const { rssBytes, anonymousBytes = rssBytes } = await memory.peak()
  return anonymousBytes
}
