import type { Derived } from '../../derived/derive.ts'
import { handlerOf } from '../../derived/derived-handler.ts'
import { DerivedRuntime } from '../../derived/derived-runtime.ts'
import { groupOf } from '../../derived/contributions-of.ts'
import type { AmountDerivation } from '../../derived/derivation.ts'
import { verifyDerived } from '../../derived/verify-derived.ts'
import type { EntityDescription, ModelDescription } from '../../description.ts'
import { computeWith } from '../data/compute-attributes.ts'
import { DataGenerator, type GeneratedItem } from '../data/generate-data.ts'
import type { Finding } from '../finding.ts'
import type { MeasureOptions } from '../measure-model.ts'
import { holesOf, ModelIndex } from '../model-index.ts'
import { seededRandom } from '../random.ts'
import { createTables, loadItems } from '../run/load-data.ts'
import type { BusiestItem, ChangeCost, DerivedReport, SourceReport } from './derived-report.ts'
import { reviewDerived } from './review-derived.ts'

const defaultItems = 400
const sampleItems = 100

/** Derives items from generated data on a database of its own: measures what changes cost, finds out where they concentrate, and
 *  verifies the outcome. */
export async function checkDerived(derived: Derived, options: MeasureOptions): Promise<DerivedReport> {
  const description = derived.model.description
  const bounds = { maxItems: Math.min(options.maxItems ?? defaultItems, defaultItems), maxBytes: 1024 * 1024 }
  const random = seededRandom(options.seed ?? 1)
  const generator = new DataGenerator(description, random, bounds, computeWith(derived.model.definitions))
  const notLoaded = new Set([derived.marks, ...targetsOf(derived)])
  const items = generator.all().filter(({ entity }) => !notLoaded.has(entity.name))
  const database = await options.open()
  try {
    await createTables(database.client, description)
    await loadItems(database.client, new ModelIndex(description), items)
    const trial = new Trial(new DerivedRuntime(derived, database.client), items, description)
    const sources: SourceReport[] = []
    for (const name of new Set([...derived.derivations.values()].map(({ source }) => source)))
      sources.push(...(await trial.measure(name)))
    // What was tried out is removed again, and everything derived once more, as a whole.
    await trial.insertAll()
    const { differences } = await verifyDerived(derived, database.client)
    const wrong = differences.slice(0, 3).map(({ derivation, expected, found }): Finding => ({
      code: 'derivation-failed',
      severity: 'error',
      where: { kind: 'derivation', name: derivation },
      reason: `On generated data, a derived item has ${found} instead of ${expected}.`,
      remedy:
        'Functions in the declaration must depend on nothing but the item, and no two items may make the same entry.',
    }))
    const failed = trial.failures.map((message): Finding => ({
      code: 'derivation-failed',
      severity: 'error',
      where: { kind: 'model', name: description.name },
      reason: `The handler failed on generated data: ${message}`,
      remedy: 'Correct the declaration, or the ranges of the attributes that it uses.',
    }))
    const reviewed = reviewDerived(description, sources, (name) => trial.itemUnits(name))
    return { model: description.name, sources, findings: [...failed, ...wrong, ...reviewed] }
  } finally {
    await database.close()
  }
}

/** Copies are attributes of items that exist by themselves. */
function targetsOf({ derivations }: Derived): readonly string[] {
  return [...derivations.values()].flatMap((each) => (each.kind === 'copy' ? [] : [each.target]))
}

class Trial {
  readonly failures: string[] = []
  readonly #runtime: DerivedRuntime
  readonly #items: readonly GeneratedItem[]
  readonly #description: ModelDescription
  readonly #handler: ReturnType<typeof handlerOf>
  #sequence = 0

  constructor(runtime: DerivedRuntime, items: readonly GeneratedItem[], description: ModelDescription) {
    this.#runtime = runtime
    this.#items = items
    this.#description = description
    this.#handler = handlerOf(runtime, {
      onError: (error) => this.failures.push(error instanceof Error ? error.message : String(error)),
    })
  }

  /** Nothing if there are no items of it. */
  async measure(source: string): Promise<readonly SourceReport[]> {
    const samples = this.#items.filter(({ entity }) => entity.name === source).slice(0, sampleItems)
    const alone = samples.slice(0, 10)
    if (alone.length === 0) return []
    const insert = await this.#cost(alone.map((item) => [this.#record('INSERT', item)]))
    const remove = await this.#cost(alone.map((item) => [this.#record('REMOVE', item)]))
    const insertInBatch = await this.#cost([samples.map((item) => this.#record('INSERT', item))])
    await this.#cost([samples.map((item) => this.#record('REMOVE', item))])
    const derivations = [...this.#runtime.derived.derivations]
    return [
      {
        source,
        derivations: derivations.flatMap(([name, each]) => (each.source === source ? [name] : [])),
        insert,
        insertInBatch,
        remove,
        busiest: this.#busiest(source),
        peakRate: this.#rateOf(source),
      },
    ]
  }

  async insertAll(): Promise<void> {
    for (let i = 0; i < this.#items.length; i += sampleItems)
      await this.#handler({
        Records: this.#items.slice(i, i + sampleItems).map((item) => this.#record('INSERT', item)),
      })
  }

  /** What writing an item of an entity costs by itself, without indexes. */
  itemUnits(source: string): number {
    const items = this.#items.filter(({ entity }) => entity.name === source)
    const bytes = items.map(({ stored }) => JSON.stringify(stored).length)
    return Math.max(1, Math.ceil(bytes.reduce((total, each) => total + each, 0) / Math.max(1, items.length) / 1024))
  }

  async #cost(batches: readonly (readonly object[])[]): Promise<ChangeCost> {
    const { meter } = this.#runtime
    const before = { readUnits: meter.readUnits, writeUnits: meter.writeUnits }
    for (const Records of batches) await this.#handler({ Records })
    const changes = batches.reduce((total, batch) => total + batch.length, 0)
    return {
      readUnits: (meter.readUnits - before.readUnits) / changes,
      writeUnits: (meter.writeUnits - before.writeUnits) / changes,
    }
  }

  #record(eventName: 'INSERT' | 'REMOVE', { entity, stored }: GeneratedItem): object {
    const table = this.#description.tables.find(({ id }) => id === entity.table)
    const names = [table?.partitionKey.name ?? '', table?.sortKey?.name ?? '']
    this.#sequence++
    return {
      eventName,
      eventSourceARN: `arn:aws:dynamodb:us-east-1:000000000000:table/${table?.name ?? ''}/stream/trial`,
      dynamodb: {
        Keys: Object.fromEntries(
          names.flatMap((name) => (stored[name] === undefined ? [] : [[name, stored[name]]])),
        ),
        ...(eventName === 'INSERT' ? { NewImage: stored } : { OldImage: stored }),
        SequenceNumber: `1${String(this.#sequence).padStart(20, '0')}`,
      },
    }
  }

  #busiest(name: string): BusiestItem | undefined {
    const source = this.#runtime.entity(name)
    const items = this.#items.filter(({ entity }) => entity.name === name)
    const busiest = this.#runtime.of('amount').flatMap(([derivation, each]) => {
      if (each.source !== name) return []
      const target = this.#runtime.entity(each.target)
      const shard = target.attributes.find(({ definition }) => definition.shard !== undefined)
      const counts = new Map<string, number>()
      for (const { stored } of items) {
        const group = groupOf(each, target, '', source.decodePossible(stored))
        if (group === undefined) continue
        const id = JSON.stringify(Object.entries(group).filter(([attribute]) => attribute !== shard?.name))
        counts.set(id, (counts.get(id) ?? 0) + 1)
      }
      const generated = Math.max(0, ...counts.values()) / Math.max(1, items.length)
      const share =
        Math.min(generated, largestShare(source.described, each.by)) / (shard?.definition.shard?.count ?? 1)
      return share === 0 ? [] : [{ derivation, target: target.name, share }]
    })
    return busiest.toSorted((a, b) => b.share - a.share)[0]
  }

  /** What the patterns that write the entity declare. */
  #rateOf(source: string): number {
    const rates = this.#description.patterns.map(({ operation, entities, steps, traffic }) => {
      const isWrite = /Put|Update|Delete|TransactWrite/.test(operation)
      const own = steps?.filter(({ entity, action }) => entity === source && !['get', 'check'].includes(action))
      const count = own?.reduce((total, step) => total + step.count, 0) ?? (entities.includes(source) ? 1 : 0)
      return isWrite ? count * (traffic.peakRate ?? traffic.rate ?? 0) : 0
    })
    return rates.reduce((total, rate) => total + rate, 0)
  }
}

/** Of few generated items, the largest partition has more than its share. Where a group is a partition, the model says more. */
function largestShare({ key, volume }: EntityDescription, by: AmountDerivation['by']): number {
  const { items, perPartition, maxPerPartition = perPartition } = volume
  if (typeof by === 'function' || items === undefined || maxPerPartition === undefined) return 1
  const names = typeof by === 'string' ? [by] : by
  const isPartition = holesOf([key.partition]).every((hole) => names.includes(hole))
  return isPartition ? Math.min(1, maxPerPartition / items) : 1
}
