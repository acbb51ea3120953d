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
  /** Parts of each table that are read side by side, here and by other workers; 4. */
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
}

/** After this many passes, whoever still writes the old form is not about to stop. */
const mostPasses = 5
const pageItems = 100
/** How often a worker looks whether another one is done, or dead. */
const pollMs = 1000
/** Items of a page that are written side by side. */
const width = 8

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
    const segments = known?.segments ?? this.#options.segments ?? 4
    const parts = Array.from({ length: segments }, (_, part) => this.#part(part, segments))
    // None goes on by itself when another has failed.
    const settled = await Promise.allSettled(parts)
    for (const part of settled) if (part.status === 'rejected') throw part.reason
    if (this.#options.isDry !== true) await this.#state.remove(segments)
    return this.#progress()
  }

  async #part(part: number, segments: number): Promise<void> {
    const first: PartState = { segments, pass: 1, table: 0, written: 0, counts: noCounts, isDone: false }
    if (this.#options.isDry === true) {
      return this.#passes(part, first, async () => undefined)
    }
    const taken = await this.#take(part, first)
    if (taken === undefined) return
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

  /** Undefined if another worker has done it. Whoever is at it may die: then its lease ends. */
  async #take(part: number, first: PartState): Promise<PartState | undefined> {
    for (let attempt = 0; ; attempt++) {
      const state = attempt === 0 ? undefined : await this.#state.read(part)
      if (attempt > 0 && (state === undefined || state.isDone)) return undefined
      const taken = await this.#state.take(part, this.#worker, first)
      if (taken !== undefined) return taken
      if (attempt === 0) this.#elsewhere++
      this.#options.signal?.throwIfAborted()
      this.#failure.signal.throwIfAborted()
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
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
      this.#options.signal?.throwIfAborted()
      this.#failure.signal.throwIfAborted()
      const { Items = [], LastEvaluatedKey } = await this.#pair.connection.send(
        'Scan',
        {
          TableName,
          ConsistentRead: true,
          Limit: pageItems,
          Segment: part,
          TotalSegments: state.segments,
          ReturnConsumedCapacity: 'TOTAL',
          ...(state.cursor !== undefined && { ExclusiveStartKey: state.cursor }),
        },
        this.#pair.meter,
      )
      const counts = await this.#page(TableName, Items, state.pass)
      this.#add(counts)
      const { cursor: _cursor, ...rest } = state
      state = {
        ...rest,
        table: LastEvaluatedKey === undefined ? state.table + 1 : state.table,
        written: state.written + counts.written,
        counts: sum(state.counts, counts),
        ...(LastEvaluatedKey !== undefined && { cursor: LastEvaluatedKey }),
      }
      await save(state)
      this.#options.onProgress?.(this.#progress())
    }
  }

  async #page(table: string, items: readonly StoredItem[], pass: number): Promise<Counts> {
    let counts = noCounts
    const waiting = items.filter((stored) => !isState(stored))
    const work = async (): Promise<void> => {
      for (let stored = waiting.pop(); stored !== undefined; stored = waiting.pop()) {
        const outcome = await this.#item(table, stored)
        const isFirst = pass === 1
        counts = sum(counts, {
          items: isFirst ? 1 : 0,
          written: outcome === 'written' ? 1 : 0,
          strange: isFirst && outcome === 'strange' ? 1 : 0,
          taken: isFirst && outcome === 'taken' ? 1 : 0,
        })
      }
    }
    await Promise.all(Array.from({ length: width }, work))
    return counts
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
    if (isDry || forms.sharesSatellites || (isGone && this.#keeps === 'both')) return 'same'
    return (await removeOrphan(this.#pair, forms, stored)) ? 'written' : 'same'
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
    }
  }
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
