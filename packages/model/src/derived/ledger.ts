import type { CancellationReason } from '@aws-sdk/client-dynamodb'
import type { Connection, Meter } from '../client/connection.ts'
import type { StoredItem } from '../client/entity-runtime.ts'
import { ModelError } from '../errors.ts'
import { targetId } from './contribution.ts'
import { epochIn, transactStep, type RequestContext } from './contribution-requests.ts'
import { readMark } from './mark.ts'
import {
  planContributions,
  type ContributionChange,
  type Knowledge,
  type PlannedWrite,
} from './plan-contributions.ts'

/** A transaction has at most this many steps. */
const mostSteps = 100
const mostAttempts = 20
/** Longer than any stream keeps its records: until then, a change of an item that is gone could be delivered once more. */
const keepMarksMs = 8 * 24 * 60 * 60 * 1000

/** Writes contributions: marks and derived items together, in as few transactions as possible. */
export class Ledger {
  readonly #connection: Connection
  readonly #parts: Pick<RequestContext, 'marks' | 'entities'>
  /** The newest epoch that was seen; derived items that others have rebuilt tell. */
  epoch = 0

  constructor(connection: Connection, parts: Pick<RequestContext, 'marks' | 'entities'>) {
    this.#connection = connection
    this.#parts = parts
  }

  /** Returns what failed, with its error. Each source item occurs once. */
  async apply(
    changes: readonly ContributionChange[],
    meter: Meter,
    marks: Knowledge['marks'] = new Map(),
  ): Promise<readonly FailedChange[]> {
    const failed: FailedChange[] = []
    for (const chunk of chunksOf(changes)) {
      const known: Knowledge = { marks, targets: new Map(), epoch: this.epoch }
      try {
        await this.#applyTogether(chunk, known, meter)
      } catch (error) {
        // One of them may be to blame; if the database cannot be reached, all of them wait.
        if (chunk.length > 1 && isOfOne(error))
          for (const change of chunk) failed.push(...(await this.apply([change], meter, marks)))
        else for (const change of chunk) failed.push({ change, error })
      }
    }
    return failed
  }

  async #applyTogether(changes: readonly ContributionChange[], known: Knowledge, meter: Meter): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const writes = planContributions(changes, known)
      if (writes.length === 0) return
      if (writes.length > mostSteps) {
        // Parts of it may fit; one item alone may not.
        const [only] = changes
        throw new ModelError(
          'NEEDS_TRANSACTION',
          `The item ${only?.source ?? ''} changes ${writes.length - 1} derived items. DynamoDB allows ${mostSteps} writes in a transaction. Derive fewer.`,
        )
      }
      const outcome = await this.#send(writes, known, meter)
      this.epoch = Math.max(this.epoch, known.epoch)
      if (outcome === 'done') return
      if (attempt === mostAttempts) {
        throw new ModelError(
          'CONFLICT',
          'Other writers kept changing the same derived items. Spread them over shards, or use fewer consumers.',
        )
      }
      if (outcome === 'conflict') await this.#connection.pause(Math.min(attempt, 5))
    }
  }

  async #send(
    writes: readonly PlannedWrite[],
    known: Knowledge,
    meter: Meter,
  ): Promise<'done' | 'learnt' | 'conflict'> {
    const expiresAt = Math.ceil((this.#connection.context.now().getTime() + keepMarksMs) / 1000)
    const TransactItems = writes.map((write) => transactStep(write, { ...this.#parts, expiresAt }))
    try {
      const input = { TransactItems, ReturnConsumedCapacity: this.#connection.capacity }
      await this.#connection.send('TransactWriteItems', input, meter)
      return 'done'
    } catch (error) {
      if (!(error instanceof Error)) throw error
      if (passing.has(error.name)) return 'conflict'
      if (error.name !== 'TransactionCanceledException') throw error
      const reasons = (error as { CancellationReasons?: readonly CancellationReason[] }).CancellationReasons ?? []
      const codes = new Set(reasons.map(({ Code }) => Code ?? 'None'))
      if ([...codes].some((code) => !passing.has(code))) throw error
      let hasLearnt = false
      for (const [i, { Code, Item }] of reasons.entries()) {
        const write = writes[i]
        if (Code !== 'ConditionalCheckFailed' || write === undefined) continue
        // What was read from the table may be older than the mark that is there now.
        if (write.kind === 'mark' && write.isRead) throw new StaleRead()
        learn(write, Item, known)
        hasLearnt = true
      }
      return hasLearnt ? 'learnt' : 'conflict'
    }
  }
}

/** A mark has changed since it was read: both it and its source must be read again. */
export class StaleRead extends Error {}

export interface FailedChange {
  readonly change: ContributionChange
  readonly error: unknown
}

function isOfOne(error: unknown): boolean {
  if (error instanceof StaleRead || error instanceof ModelError) return true
  return error instanceof Error && ['ValidationException', 'TransactionCanceledException'].includes(error.name)
}

/** Reasons that do not apply to the next attempt. */
const passing: ReadonlySet<string> = new Set([
  'None',
  'ConditionalCheckFailed',
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'TransactionInProgressException',
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
])

function learn(write: PlannedWrite, found: StoredItem | undefined, known: Knowledge): void {
  if (write.kind === 'mark') {
    const mark = found === undefined ? undefined : readMark(found)
    known.marks.set(write.source, mark)
    known.epoch = Math.max(known.epoch, mark?.epoch ?? 0)
  } else {
    const epoch = found === undefined ? undefined : epochIn(found)
    known.targets.set(targetId(write.target), epoch)
    known.epoch = Math.max(known.epoch, epoch ?? 0)
  }
}

/** As many changes as surely fit in a transaction. No derived entry is in two of them, which a transaction would refuse. */
function chunksOf(changes: readonly ContributionChange[]): readonly (readonly ContributionChange[])[] {
  const chunks: ContributionChange[][] = []
  let chunk: ContributionChange[] = []
  let targets = new Set<string>()
  for (const change of changes) {
    const all = [...change.assumed, ...change.desired.map(({ contribution }) => contribution)]
    const own = new Set(all.map(({ target }) => targetId(target)))
    const isShared = all.some((each) => each.kind === 'entry' && targets.has(targetId(each.target)))
    const size = chunk.length + 1 + new Set([...targets, ...own]).size
    if (chunk.length > 0 && (size > mostSteps || isShared)) {
      chunks.push(chunk)
      chunk = []
      targets = new Set()
    }
    chunk.push(change)
    for (const id of own) targets.add(id)
  }
  if (chunk.length > 0) chunks.push(chunk)
  return chunks
}
