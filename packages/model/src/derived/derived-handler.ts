import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { ChangeReader, type ReadStreamOptions, type StoredChange } from '../changes/change-reader.ts'
import { failedFrom, type StreamHandler } from '../changes/on-change.ts'
import type { AnyStreamRecord } from '../changes/stream-record.ts'
import type { StoredItem } from '../client/entity-runtime.ts'
import { ModelError } from '../errors.ts'
import { contributionsText, type Contribution } from './contribution.ts'
import { copyIntoAll, copyToAll, referenceOf } from './copy-attributes.ts'
import type { Derived } from './derive.ts'
import { DerivedRuntime, type DerivedOptions } from './derived-runtime.ts'
import { keyFromValues, keyValues, sourceId } from './mark.ts'
import type { ContributionChange } from './plan-contributions.ts'
import { each } from './each.ts'
import { rankGroup, rankOf, type RankedGroup } from './rank-group.ts'

export interface DerivedHandlerOptions extends DerivedOptions, Pick<ReadStreamOptions, 'streamArn'> {
  readonly onError?: (error: unknown) => void
}

/** The handler that keeps derived items: for a Lambda function with an event source mapping on the table's stream. Changes may be
 *  delivered several times, to several consumers at once, and in batches of any size. An event source mapping needs
 *  `ReportBatchItemFailures`.
 *
 *      export const handler = derivedHandler(derived, new DynamoDBClient({}))
 */
export function derivedHandler(
  derived: Derived,
  client: Pick<DynamoDBClient, 'send'>,
  options: DerivedHandlerOptions = {},
): StreamHandler {
  const runtime = new DerivedRuntime(derived, client, options)
  return handlerOf(runtime, options)
}

/** The same over a runtime, whose meter then says what it cost. */
export function handlerOf(runtime: DerivedRuntime, options: DerivedHandlerOptions): StreamHandler {
  const { derived } = runtime
  const reader = new ChangeReader(derived.model, { ...options, unknownEntities: 'skip' })
  const tell = options.onError ?? console.error
  return async ({ Records }) => {
    const batch = new Batch(runtime)
    const failed = new Set<AnyStreamRecord>()
    for (const record of Records) {
      try {
        for (const change of reader.changesIn(record)) batch.add(change, record)
      } catch (error) {
        tell(error)
        failed.add(record)
      }
    }
    for (const { records, error } of await batch.apply()) {
      tell(error)
      for (const record of records) failed.add(record)
    }
    const first = Records.find((record) => failed.has(record))
    return first === undefined ? { batchItemFailures: [] } : failedFrom(first)
  }
}

interface Failure {
  readonly error: unknown
  readonly records: readonly AnyStreamRecord[]
}

interface Work {
  readonly records: AnyStreamRecord[]
  readonly run: () => Promise<void>
}

/** What a batch of changes means for derived items: each source item, group and copy once. */
class Batch {
  readonly #runtime: DerivedRuntime
  readonly #contributions = new Map<string, { change: ContributionChange; records: AnyStreamRecord[] }>()
  readonly #works = new Map<string, Work>()
  /** The rankings of each derived item, by their names. */
  readonly #rankings = new Map<string, Map<string, () => Promise<void>>>()
  /** The items whose copies are compared, by what they refer to. */
  readonly #referring = new Map<string, Map<string, StoredItem>>()

  constructor(runtime: DerivedRuntime) {
    this.#runtime = runtime
  }

  /** Images have the names of the table. Everything else here uses those of the model. */
  add({ before, after, ...rest }: StoredChange, record: AnyStreamRecord): void {
    const { entity } = rest
    const change = {
      ...rest,
      before: before && entity.fromStored(before),
      after: after && entity.fromStored(after),
    }
    this.#addContributions(change, record)
    this.#addRankings(change, record)
    this.#addCopies(change, record)
  }

  async apply(): Promise<readonly Failure[]> {
    const { ledger, meter } = this.#runtime
    const failures: Failure[] = []
    const changes = [...this.#contributions.values()].map(({ change }) => change)
    for (const { change, error } of (await ledger?.apply(changes, meter)) ?? [])
      failures.push({ error, records: this.#contributions.get(change.source)?.records ?? [] })
    await each([...this.#works.values()], async ({ run, records }) => {
      await run().catch((error: unknown) => failures.push({ error, records }))
    })
    return failures
  }

  #addContributions({ entity, record, before, after }: StoredChange, raw: AnyStreamRecord): void {
    const desired = this.#runtime.contributions(entity, after)
    const assumed = this.#contributionsBefore(entity.name, before)
    const present = assumed && contributionsText(assumed)
    // Most changes are about something else.
    if (present === contributionsText(desired.map(({ contribution }) => contribution))) return
    if (record.position === undefined) throw new ModelError('INVALID_VALUE', record.unordered ?? '')
    const source = sourceId(entity, { ...before, ...after })
    const earlier = this.#contributions.get(source)
    this.#contributions.set(source, {
      change: {
        source,
        position: record.position,
        assumed: earlier?.change.assumed ?? assumed ?? [],
        desired,
      },
      records: [...(earlier?.records ?? []), raw],
    })
  }

  /** Undefined if the item as it was cannot be read, such as one from before a change of the model. Then its mark tells. */
  #contributionsBefore(entity: string, before: StoredItem | undefined): readonly Contribution[] | undefined {
    try {
      return this.#runtime
        .contributions(this.#runtime.entity(entity), before)
        .map(({ contribution }) => contribution)
    } catch (error) {
      if (error instanceof ModelError) return undefined
      throw error
    }
  }

  #addRankings({ entity, before, after }: StoredChange, raw: AnyStreamRecord): void {
    for (const [name, derivation] of this.#runtime.of('ranking')) {
      if (derivation.source !== entity.name) continue
      const target = this.#runtime.entity(derivation.target)
      const was = rankOf(derivation, entity, target, before)
      const is = rankOf(derivation, entity, target, after)
      if (was?.id === is?.id && was?.shown === is?.shown) continue
      const work = (at: RankedGroup) => () => rankGroup(this.#runtime, derivation, at)
      if (was !== undefined) this.#rank(name, was.id, raw, work(was.at))
      if (is !== undefined && is.id !== was?.id) this.#rank(name, is.id, raw, work(is.at))
    }
  }

  /** Several rankings of one derived item are written one after the other: each would find that another has changed it. */
  #rank(name: string, group: string, raw: AnyStreamRecord, run: () => Promise<void>): void {
    const rankings = this.#rankings.get(group) ?? new Map<string, () => Promise<void>>()
    this.#rankings.set(group, rankings.set(name, run))
    this.#work(`rankings ${group}`, raw, async () => {
      for (const ranking of rankings.values()) await ranking()
    })
  }

  #addCopies({ entity, before, after }: StoredChange, raw: AnyStreamRecord): void {
    for (const [name, derivation] of this.#runtime.of('copy')) {
      if (after === undefined) continue
      if (derivation.source === entity.name) {
        // A new item may already be referred to.
        const isSame = Object.keys(derivation.attributes).every(
          (each) => JSON.stringify(before?.[each]) === JSON.stringify(after[each]),
        )
        const key = keyFromValues(entity, keyValues(entity, after))
        if (!isSame)
          this.#work(`${name} ${sourceId(entity, after)}`, raw, () => copyToAll(this.#runtime, derivation, key))
      }
      if (derivation.target === entity.name) {
        const source = this.#runtime.entity(derivation.source)
        const names = [...source.primaryInputs, ...Object.values(derivation.attributes)]
        const isSame =
          before !== undefined &&
          names.every((each) => JSON.stringify(before[each]) === JSON.stringify(after[each]))
        const reference = isSame ? undefined : referenceOf(source, entity.decodeItem(after))
        if (reference === undefined) continue
        // Items that refer to the same one are compared with it together.
        const id = `${name} from ${JSON.stringify(reference)}`
        const targets = this.#referring.get(id) ?? new Map<string, StoredItem>()
        this.#referring.set(id, targets.set(sourceId(entity, after), after))
        this.#work(id, raw, () => copyIntoAll(this.#runtime, derivation, reference, [...targets.values()]))
      }
    }
  }

  /** The last of several changes counts. */
  #work(id: string, raw: AnyStreamRecord, run: () => Promise<void>): void {
    const records = this.#works.get(id)?.records ?? []
    records.push(raw)
    this.#works.set(id, { run, records })
  }
}
