import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { PlannedModel } from '../client/client-functions.ts'
import type { StoredItem } from '../client/entity-runtime.ts'
import { hasExpired } from '../client/present-item.ts'
import { satellitesOf } from '../client/satellites.ts'
import { isSameStored } from '../client/stored-equal.ts'
import { ModelError } from '../errors.ts'
import { holderOf } from './claim-satellites.ts'
import type { EntityForms } from './entity-forms.ts'
import { isSameItem } from './send-changes.ts'
import { MigrationPair, type PairOptions } from './migration-pair.ts'
import { stateKind } from './migration-state.ts'

export interface Verified {
  /** The items in their new form, by entity. */
  readonly items: Readonly<Record<string, number>>
  /** Guards and index items. */
  readonly satellites: number
  /** Items that are still in their old form, by entity: those beside a new form included. */
  readonly left: Readonly<Record<string, number>>
  /** Some of them. */
  readonly leftExamples: readonly Example[]
  readonly faults: readonly Fault[]
  /** How many there are; `faults` has the first thousand. */
  readonly faultCount: number
}

export interface Example {
  readonly entity: string
  readonly key: StoredItem
}

export interface Fault extends Example {
  readonly fault: string
}

export interface VerifyOptions extends PairOptions {
  readonly segments?: number | undefined
  readonly signal?: AbortSignal | undefined
}

const mostFaults = 1000
const mostExamples = 20

/** Reads everything, and compares it with the new model. Every item must be readable, and have the right keys in the
 *  table and in the indexes. It must have its guards and index items, and each of these must have an owner. */
export async function verifyMigration(
  old: PlannedModel,
  fresh: PlannedModel,
  client: Pick<DynamoDBClient, 'send'>,
  options: VerifyOptions = {},
): Promise<Verified> {
  const run = new Verification(new MigrationPair(old, fresh, client, options))
  const segments = options.segments ?? 4
  await Promise.all(
    Array.from({ length: segments }, (_, segment) => run.segment(segment, segments, options.signal)),
  )
  return run.result()
}

class Verification {
  readonly #pair: MigrationPair
  readonly #items = new Map<string, number>()
  readonly #left = new Map<string, number>()
  readonly #examples: Example[] = []
  readonly #faults: Fault[] = []
  #faultCount = 0
  #satellites = 0

  constructor(pair: MigrationPair) {
    this.#pair = pair
  }

  result(): Verified {
    return {
      items: Object.fromEntries(this.#items),
      satellites: this.#satellites,
      left: Object.fromEntries(this.#left),
      leftExamples: this.#examples,
      faults: this.#faults,
      faultCount: this.#faultCount,
    }
  }

  async segment(segment: number, segments: number, signal: AbortSignal | undefined): Promise<void> {
    for (const TableName of this.#pair.tableNames) {
      let key: StoredItem | undefined
      do {
        signal?.throwIfAborted()
        const page = await this.#pair.connection.send(
          'Scan',
          {
            TableName,
            ConsistentRead: true,
            Segment: segment,
            TotalSegments: segments,
            ReturnConsumedCapacity: 'TOTAL',
            ...(key !== undefined && { ExclusiveStartKey: key }),
          },
          this.#pair.meter,
        )
        await Promise.all((page.Items ?? []).map((stored) => this.#item(TableName, stored)))
        key = page.LastEvaluatedKey
      } while (key !== undefined)
    }
  }

  async #item(table: string, stored: StoredItem): Promise<void> {
    const kind = this.#pair.kindOf(table, stored)
    if (kind === undefined) {
      if (!Object.values(stored).some(({ S }) => S === stateKind))
        this.#fault('', table, stored, 'belongs to no entity of the model')
      return
    }
    const [name = '', satellite] = kind.split('.')
    const forms = this.#pair.forms.get(name)
    try {
      if (satellite === undefined) await this.#main(table, stored, name, forms)
      else await this.#satellite(table, stored, kind, forms)
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      this.#fault(kind, table, stored, `cannot be read or migrated. ${error.message}`)
    }
  }

  async #main(table: string, stored: StoredItem, name: string, forms: EntityForms | undefined): Promise<void> {
    const runtime = this.#pair.new.entities.get(name)
    if (runtime === undefined) return this.#leave(name, table, stored)
    const form = forms?.formOf(stored, table) ?? (forms === undefined ? runtime : undefined)
    if (form === undefined) return this.#fault(name, table, stored, 'has a key of neither form')
    if (forms !== undefined && form === forms.old && forms.isMoved) {
      // Whether it can be brought over.
      forms.convert(forms.old, stored)
      return this.#leave(name, table, stored)
    }
    if (forms !== undefined) {
      const next = forms.isOldInPlace(stored) ? forms.convert(forms.old, stored) : forms.renew(stored)
      const wanted = runtime.toStored(next)
      const differs = Object.keys(wanted).filter((attribute) => !isSameStored(wanted[attribute], stored[attribute]))
      const isBeside =
        differs.every((name) => forms.sharedKeys.has(name) && stored[name] === undefined) &&
        differs.length > 0 &&
        (await this.#pair.read(forms.old, forms.old.keyOfEncoded(forms.convert(forms.new, stored)))) !== undefined
      const wrong = isBeside ? undefined : differs[0]
      if (wrong !== undefined) return this.#old(name, table, stored, wrong)
    }
    runtime.decodeItem(stored)
    count(this.#items, name)
    if (hasExpired(runtime, runtime.fromStored(stored), this.#nowMs())) return
    for (const { key, item, described } of satellitesOf(runtime, runtime.withKeyParts(stored)).values()) {
      const found = await this.#pair.read(runtime, key)
      if (found === undefined || !isSameItem(runtime.fromStored(found), item))
        this.#fault(name, table, stored, `has no ${described.name} of its own`)
    }
  }

  #nowMs(): number {
    return this.#pair.connection.context.now().getTime()
  }

  #old(name: string, table: string, stored: StoredItem, attribute: string): void {
    this.#leave(name, table, stored)
    this.#fault(name, table, stored, `has ${attribute} in its old form`)
  }

  async #satellite(table: string, stored: StoredItem, kind: string, forms: EntityForms | undefined): Promise<void> {
    if (forms?.new.described.satellites.every(({ name }) => name !== kind) === true)
      return this.#leave(kind, table, stored)
    this.#satellites++
    if (forms === undefined || hasExpired(forms.new, forms.new.fromStored(stored), this.#nowMs())) return
    const { isHeld } = await holderOf(this.#pair, forms, forms.new.fromStored(stored))
    if (!isHeld) this.#fault(kind, table, stored, 'belongs to no item')
  }

  #fault(entity: string, table: string, stored: StoredItem, fault: string): void {
    this.#faultCount++
    if (this.#faults.length < mostFaults) this.#faults.push({ entity, key: this.#keyIn(table, stored), fault })
  }

  #leave(entity: string, table: string, stored: StoredItem): void {
    count(this.#left, entity)
    if (this.#examples.length < mostExamples) this.#examples.push({ entity, key: this.#keyIn(table, stored) })
  }

  #keyIn(table: string, stored: StoredItem): StoredItem {
    const described = this.#pair.new.tables.get(table) ?? this.#pair.old.tables.get(table)
    const names = [described?.partitionKey.name, described?.sortKey?.name].filter((name) => name !== undefined)
    const key = names.flatMap((name) => (stored[name] === undefined ? [] : [[name, stored[name]] as const]))
    return Object.fromEntries(key)
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
