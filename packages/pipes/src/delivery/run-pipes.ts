import { StorageError, type Lease, type Scope } from '@hashrange/engine'
import { matchesPattern, readPattern } from '@hashrange/lambda'
import type { Pipes } from '../pipes.ts'
import { batchSizeOf, streamParameters, type PipeRecord, type PipeSettings } from '../records/pipe-record.ts'
import { Source, type SourceBatch } from '../sources/read-source.ts'
import { TooEarly } from '../destinations/invocation-rates.ts'
import { assertMayCall, deliver, enrich } from '../targets/deliver-target.ts'

const idleMs = 300
const longestPauseMs = 30_000

/** Runs every pipe, as long as there are some and this server has the work. */
export async function runPipes(pipes: Pipes, lease: Lease): Promise<void> {
  const waiting = new Map<string, { readonly attempts: number; readonly untilMs: number }>()
  while (!lease.aborted) {
    const running = (await pipes.pipes.all()).filter(({ record }) => record.state === 'RUNNING')
    if (running.length === 0) return
    let isBusy = false
    for (const { scope, record } of running) {
      if (lease.aborted) return
      const name = `${scope.accountId}/${scope.region}/${record.name}/${record.modifiedAtMs}`
      const failed = waiting.get(name)
      if (failed !== undefined && performance.now() < failed.untilMs) continue
      try {
        if (await step(pipes, scope, record, lease, failed?.attempts ?? 0)) isBusy = true
        waiting.delete(name)
      } catch (error) {
        if (error instanceof StorageError || lease.aborted) throw error
        if (error instanceof TooEarly) {
          waiting.set(name, { attempts: failed?.attempts ?? 0, untilMs: performance.now() + error.waitMs })
          continue
        }
        const attempts = (failed?.attempts ?? 0) + 1
        if (attempts === 1) pipes.onError(error)
        const pauseMs = Math.min(longestPauseMs, 250 * 2 ** Math.min(attempts, 20))
        waiting.set(name, { attempts, untilMs: performance.now() + pauseMs })
        await note(pipes, scope, record, lease, { stateReason: reasonOf(error) })
      }
    }
    if (!isBusy) await new Promise((resolve) => setTimeout(resolve, idleMs).unref())
  }
}

/** Handles the next batch of every shard. A batch that fails is tried again until it succeeds, so that nothing is missing
 *  and the order stays; unless the pipe says how often. `failures` is how often the first batch has failed. */
async function step(
  pipes: Pipes,
  scope: Scope,
  record: PipeRecord,
  lease: Lease,
  failures: number,
): Promise<boolean> {
  const source = new Source(pipes, scope, record)
  let positions = record.positions
  if (positions === undefined) {
    positions = await source.firstPositions()
    await note(pipes, scope, record, lease, { positions })
  }
  const { settings } = record
  let failed = failures
  const batches = await source.next(positions, batchSizeOf(settings))
  for (const batch of batches) {
    if (lease.aborted) return false
    try {
      await handle(pipes, scope, settings, batch)
    } catch (error) {
      const { MaximumRetryAttempts: most = -1 } = streamParameters(settings)
      if (error instanceof StorageError || error instanceof TooEarly || most < 0 || failed < most) throw error
      pipes.onError(
        new Error(`The pipe ${record.name} has discarded a batch: ${reasonOf(error)}`, { cause: error }),
      )
    }
    failed = 0
    positions = { ...positions, [batch.shard]: batch.position }
    await note(pipes, scope, record, lease, { positions, stateReason: undefined })
  }
  return batches.some(({ events }) => events.length > 0)
}

async function handle(pipes: Pipes, scope: Scope, settings: PipeSettings, { events }: SourceBatch): Promise<void> {
  const filters = settings.SourceParameters?.FilterCriteria?.Filters ?? []
  const patterns = filters.map(({ Pattern = '{}' }) => readPattern(Pattern))
  const wanted = events.filter(
    (event) => patterns.length === 0 || patterns.some((pattern) => matchesPattern(pattern, decoded(event))),
  )
  if (wanted.length === 0) return
  // Before the enrichment, which would have to be called again.
  await assertMayCall(pipes, scope, settings.Target)
  await deliver(pipes, scope, settings, await enrich(pipes, scope, settings, wanted))
}

/** Filters look into the data of a record of Kinesis if it is JSON. */
function decoded(event: Readonly<Record<string, unknown>>): unknown {
  const { data } = event
  if (typeof data !== 'string') return event
  try {
    return { ...event, data: JSON.parse(Buffer.from(data, 'base64').toString('utf8')) as unknown }
  } catch {
    return event
  }
}

/** Changes a pipe if this server still has the work, and nobody has changed the pipe. */
async function note(
  { pipes }: Pipes,
  scope: Scope,
  { name, modifiedAtMs }: PipeRecord,
  lease: Lease,
  change: Pick<PipeRecord, 'positions'> & { readonly stateReason?: string | undefined },
): Promise<void> {
  await lease.transact([pipes.key(scope, [name])], ([value]) => {
    const current = pipes.decode(value)
    if (current?.modifiedAtMs !== modifiedAtMs) return { writes: [], answer: undefined }
    return { writes: [pipes.put(scope, [name], { ...current, ...change } as PipeRecord)], answer: undefined }
  })
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500)
}
