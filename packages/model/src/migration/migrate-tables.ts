import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { PlannedModel } from '../client/client-functions.ts'
import type { StoredItem } from '../client/entity-runtime.ts'
import { ModelError } from '../errors.ts'
import { hashOf } from '../keys/hash-of.ts'
import { removeOrphan } from './claim-satellites.ts'
import { migrateItem, type Keeps } from './migrate-item.ts'
import { MigrationPair, type PairOptions } from './migration-pair.ts'
import {
  leaseMs,
  MigrationState,
  noCounts,
  stateKind,
  usualStateKey,
  type Counts,
  type PartState,
} from './migration-state.ts'

export interface MigrateOptions extends PairOptions {
  /** `both` leaves the old form of items, for code that still reads it; `new`, the default, removes it. */
  readonly keeps?: Keeps | undefined
  /** Parts of each table that this worker reads side by side; 4. There are more of them, for others. */
  readonly segments?: number | undefined
  /** Only count what would be written. */
  readonly isDry?: boolean | undefined
  /** The partition key under which progress is kept. */
  readonly stateKey?: string | undefined
  /** Tells workers apart. */
  readonly worker?: string | undefined
  readonly onProgress?: ((progress: MigrationProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface MigrationProgress extends Counts {
  readonly readUnits: number
  readonly writeUnits: number
  readonly throttles: number
  readonly unitsPerSecond: number
  /** Whether an interrupted migration was continued. */
  readonly isResumed: boolean
  /** Parts that another worker was at. */
  readonly elsewhere: number
  /** Those that it is still at, or was when it died: after a while they can be taken. */
  readonly waiting: number
}

/** After this many passes, whoever still writes the old form is not about to stop. */
const mostPasses = 5
/** So many parts for each that a worker is at: those who join later find some. */
const partsOfLane = 4
/** How often a worker looks whether another one is done, or dead. */
const pollMs = 1000
/** What is said of items that do not have what they need. */
const invalid: ReadonlySet<string> = new Set([
  'MISSING_VALUE',
  'INVALID_VALUE',
  'INVALID_ITEM',
  'INVALID_KEY_PART',
  'UNKNOWN_ATTRIBUTE',
])
/** Items that are read, and then written side by side: a few hundred, so that groups of them can be written at once. */
const mostPageItems = 400

/** Brings all items from the form of one model to that of another, while the tables are in use. It can be stopped at any time, and
 *  goes on where it was when it is called again; several can run at once, each with its own parts. */
export async function migrateTables(
  old: PlannedModel,
  fresh: PlannedModel,
  client: Pick<DynamoDBClient, 'send'>,
  options: MigrateOptions = {},
): Promise<MigrationProgress> {
  return new Run(new MigrationPair(old, fresh, client, options), options).run()
}

class Run {
  readonly #pair: MigrationPair
  readonly #options: MigrateOptions
  readonly #keeps: Keeps
  readonly #state: MigrationState
  readonly #worker: string
  #counts: Counts = noCounts
  readonly #failure = new AbortController()
  #isResumed = false
  #elsewhere = 0
  #waiting = 0

  constructor(pair: MigrationPair, options: MigrateOptions) {
    this.#pair = pair
    this.#options = options
    this.#keeps = options.keeps ?? 'new'
    const id = hashOf(
      JSON.stringify([pair.old.model.resolved.entities, pair.new.model.resolved.entities, this.#keeps]),
    )
    this.#state = new MigrationState(pair, options.stateKey ?? usualStateKey, id)
    this.#worker = options.worker ?? crypto.randomUUID()
  }

  async run(): Promise<MigrationProgress> {
    const known = this.#options.isDry === true ? undefined : await this.#state.read(0)
    const lanes = this.#options.segments ?? 4
    const segments = known?.segments ?? lanes * partsOfLane
    const parts = Array.from({ length: segments }, (_, part) => part)
    const elsewhere: number[] = []
    const lane = async (): Promise<void> => {
      for (let part = parts.shift(); part !== undefined; part = parts.shift())
        if (!(await this.#part(part, segments))) elsewhere.push(part)
    }
    await allOrNone(Array.from({ length: lanes }, lane))
    // Whoever has the others may die.
    await allOrNone(elsewhere.map((part) => this.#untilDone(part, segments)))
    if (this.#options.isDry !== true) await this.#state.remove(segments)
    return this.#progress()
  }

  /** False if another worker is at it. */
  async #part(part: number, segments: number): Promise<boolean> {
    const first: PartState = { segments, pass: 1, table: 0, written: 0, counts: noCounts, isDone: false }
    if (this.#options.isDry === true) {
      await this.#passes(part, first, async () => undefined)
      return true
    }
    const taken = await this.#state.take(part, this.#worker, first)
    if (taken === undefined) return false
    if (taken.counts.items > 0) this.#isResumed = true
    this.#add(taken.counts)
    let state = taken
    // A page can take longer than a lease lasts.
    const renewal = setInterval(
      () => void this.#state.save(part, this.#worker, state).catch(() => undefined),
      leaseMs / 3,
    )
    try {
      await this.#passes(part, taken, async (next) => {
        await this.#state.save(part, this.#worker, next)
        state = next
      })
      return true
    } catch (error) {
      this.#failure.abort(error)
      // Whoever goes on need not wait until the lease ends.
      if (!(error instanceof ModelError))
        await this.#state.save(part, this.#worker, state, true).catch(() => undefined)
      throw error
    } finally {
      clearInterval(renewal)
    }
  }

  /** Waits until another worker has done a part, or does it when the lease of that one has ended. */
  async #untilDone(part: number, segments: number): Promise<void> {
    this.#elsewhere++
    this.#waiting++
    try {
      for (;;) {
        this.#options.onProgress?.(this.#progress())
        this.#throwIfOver()
        await new Promise((resolve) => setTimeout(resolve, pollMs))
        const state = await this.#state.read(part)
        if (state === undefined || state.isDone || (await this.#part(part, segments))) return
      }
    } finally {
      this.#waiting--
    }
  }

  #throwIfOver(): void {
    this.#options.signal?.throwIfAborted()
    this.#failure.signal.throwIfAborted()
  }

  async #passes(part: number, first: PartState, save: (state: PartState) => Promise<void>): Promise<void> {
    let state = first
    const tables = this.#pair.tableNames
    while (!state.isDone) {
      const TableName = tables[state.table]
      if (TableName === undefined) {
        // What changed while this pass ran is found by the next.
        const isDone = state.written === 0 || state.pass >= mostPasses || this.#options.isDry === true
        state = { ...state, pass: state.pass + 1, table: 0, written: 0, isDone }
        await save(state)
        continue
      }
      this.#throwIfOver()
      const { Items = [], LastEvaluatedKey } = await this.#pair.connection.send(
        'Scan',
        {
          TableName,
          ConsistentRead: true,
          Limit: this.#pageItems(),
          Segment: part,
          TotalSegments: state.segments,
          ReturnConsumedCapacity: 'TOTAL',
          ...(state.cursor !== undefined && { ExclusiveStartKey: state.cursor }),
        },
        this.#pair.meter,
      )
      const { counts, again } = await this.#page(TableName, Items, state.pass)
      this.#add(counts)
      const { cursor: _cursor, ...rest } = state
      state = {
        ...rest,
        table: LastEvaluatedKey === undefined ? state.table + 1 : state.table,
        written: state.written + again,
        counts: sum(state.counts, counts),
        ...(LastEvaluatedKey !== undefined && { cursor: LastEvaluatedKey }),
      }
      await save(state)
      this.#options.onProgress?.(this.#progress())
    }
  }

  /** `again`: how many are a reason for another pass. */
  async #page(
    table: string,
    items: readonly StoredItem[],
    pass: number,
  ): Promise<{ readonly counts: Counts; readonly again: number }> {
    const waiting = items.filter((stored) => !isState(stored))
    const outcomes = await Promise.all(waiting.map((stored) => this.#item(table, stored).catch(strangeIfInvalid)))
    const isFirst = pass === 1
    const countOf = (wanted: string): number => outcomes.filter((outcome) => outcome === wanted).length
    const written = countOf('written')
    const counts = {
      items: isFirst ? outcomes.length : 0,
      written,
      strange: isFirst ? countOf('strange') : 0,
      taken: isFirst ? countOf('taken') : 0,
    }
    return { counts, again: written + countOf('busy') }
  }

  /** At a low rate a page is as much as can be done in a few seconds: between two pages it can be stopped. */
  #pageItems(): number {
    return Math.max(10, Math.min(mostPageItems, Math.floor(this.#pair.pace.unitsPerSecond)))
  }

  async #item(table: string, stored: StoredItem): ReturnType<typeof migrateItem> {
    const kind = this.#pair.kindOf(table, stored)
    if (kind === undefined) return 'strange'
    const [name = '', satellite] = kind.split('.')
    const forms = this.#pair.forms.get(name)
    if (forms === undefined) return 'same'
    const isDry = this.#options.isDry === true
    if (satellite === undefined) return migrateItem(this.#pair, forms, table, stored, this.#keeps, isDry)
    // Code of before still needs those that the model no longer has.
    const isGone = forms.new.described.satellites.every((each) => each.name !== kind)
    if (isDry || (isGone && this.#keeps === 'both')) return 'same'
    return removeOrphan(this.#pair, forms, stored)
  }

  #add(counts: Counts): void {
    this.#counts = sum(this.#counts, counts)
  }

  #progress(): MigrationProgress {
    const { meter, pace } = this.#pair
    return {
      ...this.#counts,
      readUnits: meter.readUnits,
      writeUnits: meter.writeUnits,
      throttles: pace.throttles,
      unitsPerSecond: pace.unitsPerSecond,
      isResumed: this.#isResumed,
      elsewhere: this.#elsewhere,
      waiting: this.#waiting,
    }
  }
}

/** None goes on by itself when another has failed. */
async function allOrNone(running: readonly Promise<void>[]): Promise<void> {
  for (const each of await Promise.allSettled(running)) if (each.status === 'rejected') throw each.reason
}

/** An item that cannot be converted, because it lacks something, does not keep the others from it: the verification names it. */
function strangeIfInvalid(error: unknown): 'strange' {
  if (error instanceof ModelError && invalid.has(error.code)) return 'strange'
  throw error
}

function isState(stored: StoredItem): boolean {
  return Object.values(stored).some(({ S }) => S === stateKind)
}

function sum(a: Counts, b: Counts): Counts {
  return {
    items: a.items + b.items,
    written: a.written + b.written,
    strange: a.strange + b.strange,
    taken: a.taken + b.taken,
  }
}
