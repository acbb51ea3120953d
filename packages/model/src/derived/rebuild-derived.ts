import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { copyInto, isCopied, referenceOf } from './copy-attributes.ts'
import type { Derived } from './derive.ts'
import { DerivedRuntime, type DerivedOptions } from './derived-runtime.ts'
import { Pace } from './pace.ts'
import { rankGroup, rankOf } from './rank-group.ts'
import { readState, writeState, type RebuildState } from './rebuild-state.ts'
import { each } from './each.ts'
import { ownKey, recount } from './recount.ts'
import { removeOrphan, renewAmounts } from './renew-targets.ts'
import { scanEntities, type ScannedPage } from './scan-tables.ts'

export interface RebuildOptions extends DerivedOptions {
  /** Capacity units a second, read and written; as many as there are by default. */
  readonly unitsPerSecond?: number | undefined
  readonly onProgress?: (progress: RebuildProgress) => void
  readonly signal?: AbortSignal
}

export interface RebuildProgress {
  readonly step: string
  readonly items: number
  readonly written: number
  readonly readUnits: number
  readonly writeUnits: number
  /** Whether an interrupted rebuild is continued. */
  readonly isResumed: boolean
}

/** Computes all derived items again, from the table, while it is in use and the handler runs. It can be stopped at any time; the
 *  next one continues. Returns what was done. */
export async function rebuildDerived(
  derived: Derived,
  client: Pick<DynamoDBClient, 'send'>,
  options: RebuildOptions = {},
): Promise<RebuildProgress> {
  const runtime = new DerivedRuntime(derived, client, options)
  return new Rebuild(runtime, options).run()
}

type Page = ScannedPage['items']

interface Step {
  readonly name: string
  readonly entities: ReadonlySet<string>
  /** Returns how many items it wrote. */
  readonly work: (page: Page) => Promise<number>
  /** Whether it is repeated until it finds nothing more to write. */
  readonly isRepeated?: boolean
}

const mostRepetitions = 20

class Rebuild {
  readonly #runtime: DerivedRuntime
  readonly #options: RebuildOptions
  readonly #pace: Pace
  #state: RebuildState = { epoch: 1, step: 0, cursor: undefined, isDone: false }
  #items = 0
  #written = 0
  #isResumed = false

  constructor(runtime: DerivedRuntime, options: RebuildOptions) {
    this.#runtime = runtime
    this.#options = options
    this.#pace = new Pace(options.unitsPerSecond)
  }

  async run(): Promise<RebuildProgress> {
    const last = await readState(this.#runtime)
    this.#isResumed = last?.isDone === false
    this.#state = last ?? this.#state
    if (!this.#isResumed) {
      const first = { epoch: (last?.epoch ?? 0) + 1, step: 0, cursor: undefined, isDone: false }
      await writeState(this.#runtime, last, first)
      this.#state = first
    }
    const steps = this.#steps()
    for (let step = steps[this.#state.step]; step !== undefined; step = steps[this.#state.step]) {
      await this.#runStep(step)
      await this.#save({ ...this.#state, step: this.#state.step + 1, cursor: undefined })
    }
    await this.#save({ ...this.#state, isDone: true })
    return this.#progress('done')
  }

  async #runStep(step: Step): Promise<void> {
    for (let round = 1; round <= mostRepetitions; round++) {
      let written = 0
      for await (const page of scanEntities(this.#runtime, step.entities, this.#pace, this.#state.cursor)) {
        const before = this.#units()
        this.#options.signal?.throwIfAborted()
        written += await step.work(page.items)
        this.#items += page.items.length
        await this.#save({ ...this.#state, cursor: page.next })
        await this.#pace.spend(this.#units() - before)
        this.#options.onProgress?.(this.#progress(step.name))
      }
      this.#written += written
      if (step.isRepeated !== true || written === 0) return
      await this.#save({ ...this.#state, cursor: undefined })
    }
  }

  #steps(): readonly Step[] {
    const { derivations, marks } = this.#runtime.derived
    const of = (kinds: readonly string[], which: 'source' | 'target'): readonly string[] =>
      [...derivations.values()].flatMap((each) => (kinds.includes(each.kind) ? [each[which]] : []))
    const counted = new Set(of(['amount', 'entries'], 'source'))
    const { epoch } = this.#state
    const recounting = (page: Page): Promise<number> => recount(this.#runtime, page, epoch)
    const steps: Step[] = []
    if (marks !== undefined && counted.size > 0) {
      steps.push(
        { name: 'count', entities: new Set([...counted, marks]), work: recounting },
        {
          name: 'renew',
          entities: new Set(of(['amount', 'entries'], 'target')),
          work: (page) => this.#renew(page, new Set(of(['amount'], 'target'))),
        },
        { name: 'count again', entities: new Set([marks]), work: recounting, isRepeated: true },
      )
    }
    const ranked = new Set([...of(['ranking'], 'source'), ...of(['ranking'], 'target')])
    if (ranked.size > 0) {
      const seen = new Set<string>()
      steps.push({ name: 'rank', entities: ranked, work: (page) => this.#rank(page, seen) })
    }
    const copied = new Set(of(['copy'], 'target'))
    if (copied.size > 0) steps.push({ name: 'copy', entities: copied, work: (page) => this.#copy(page) })
    return steps
  }

  async #renew(page: Page, amounts: ReadonlySet<string>): Promise<number> {
    let written = 0
    await each(page, async ({ entity, stored }) => {
      const isDone = amounts.has(entity.name)
        ? await renewAmounts(this.#runtime, entity, stored, this.#state.epoch)
        : await removeOrphan(this.#runtime, entity, stored)
      if (isDone) written++
    })
    return written
  }

  async #rank(page: Page, seen: Set<string>): Promise<number> {
    let written = 0
    for (const [name, derivation] of this.#runtime.of('ranking')) {
      const target = this.#runtime.entity(derivation.target)
      const { parameters } = this.#runtime.pattern(derivation.via)
      await each(page, async ({ entity, stored }) => {
        if (entity.name === derivation.source) {
          const rank = rankOf(derivation, entity, target, stored)
          if (rank === undefined || seen.has(name + rank.id)) return
          seen.add(name + rank.id)
          await rankGroup(this.#runtime, derivation, rank.at)
          written++
        } else if (entity === target) {
          // Perhaps nothing is left in this group.
          const item = entity.decodePossible(stored)
          const isCallable = parameters.every((each) => each.kind !== 'value' || item[each.name] !== undefined)
          const id = name + JSON.stringify([target.name, ...Object.values(ownKey(entity, stored))])
          if (!isCallable || seen.has(id)) return
          seen.add(id)
          const group = Object.fromEntries(entity.primaryInputs.map((input) => [input, item[input]]))
          await rankGroup(this.#runtime, derivation, { group, parameters: item })
          written++
        }
      })
    }
    return written
  }

  async #copy(page: Page): Promise<number> {
    let written = 0
    for (const [, derivation] of this.#runtime.of('copy')) {
      const source = this.#runtime.entity(derivation.source)
      await each(page, async ({ entity, stored }) => {
        if (entity.name !== derivation.target) return
        const reference = referenceOf(source, entity.decodePossible(stored))
        const from = reference && (await this.#runtime.read(source, reference))
        if (reference === undefined || from === undefined || isCopied(derivation, from, stored)) return
        await copyInto(this.#runtime, derivation, reference, [ownKey(entity, stored)])
        written++
      })
    }
    return written
  }

  async #save(state: RebuildState): Promise<void> {
    await writeState(this.#runtime, this.#state, state)
    this.#state = state
  }

  #units(): number {
    return this.#runtime.meter.readUnits + this.#runtime.meter.writeUnits
  }

  #progress(step: string): RebuildProgress {
    const { readUnits, writeUnits } = this.#runtime.meter
    return {
      step,
      items: this.#items,
      written: this.#written,
      readUnits,
      writeUnits,
      isResumed: this.#isResumed,
    }
  }
}
