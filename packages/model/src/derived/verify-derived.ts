import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { EntityRuntime, StoredItem } from '../client/entity-runtime.ts'
import { isSameStored } from '../client/stored-equal.ts'
import { fingerprintOf } from './contributions-of.ts'
import { targetId } from './contribution.ts'
import { isCopied, referenceOf } from './copy-attributes.ts'
import { addDecimals, canonicalDecimal } from './decimal.ts'
import type { Derived } from './derive.ts'
import { DerivedRuntime, type DerivedOptions } from './derived-runtime.ts'
import { keyFromValues, keyValues } from './mark.ts'
import { Pace } from './pace.ts'
import { rankingOf, rankOf } from './rank-group.ts'
import { scanEntities } from './scan-tables.ts'

export interface VerifyOptions extends DerivedOptions {
  readonly unitsPerSecond?: number | undefined
  /** What differs is compared once more after this time: the handler may not have seen the last changes. */
  readonly recheckAfterMs?: number
}

export interface Difference {
  readonly derivation: string
  /** The key of the derived item. */
  readonly key: StoredItem
  readonly attribute: string | undefined
  readonly expected: string
  readonly found: string
}

export interface Verification {
  /** Items that things are derived from, and derived items. */
  readonly compared: number
  readonly differences: readonly Difference[]
  readonly readUnits: number
}

/** Compares all derived items with what they should be, from consistent reads of the whole table. Changes nothing. It holds the
 *  keys and values of all derived items in memory. */
export async function verifyDerived(
  derived: Derived,
  client: Pick<DynamoDBClient, 'send'>,
  options: VerifyOptions = {},
): Promise<Verification> {
  const runtime = new DerivedRuntime(derived, client, options)
  const pace = new Pace(options.unitsPerSecond)
  const first = await compare(runtime, pace)
  if (first.differences.length === 0 || options.recheckAfterMs === undefined) return result(first, runtime)
  await new Promise((resolve) => setTimeout(resolve, options.recheckAfterMs))
  const again = await compare(runtime, pace)
  const known = new Set(first.differences.map((each) => JSON.stringify(each)))
  const lasting = again.differences.filter((each) => known.has(JSON.stringify(each)))
  return result({ ...again, differences: lasting }, runtime)
}

type Compared = Pick<Verification, 'compared' | 'differences'>

function result(compared: Compared, { meter }: DerivedRuntime): Verification {
  return { ...compared, readUnits: meter.readUnits }
}

async function compare(runtime: DerivedRuntime, pace: Pace): Promise<Compared> {
  const comparison = new Comparison(runtime)
  const names = [...runtime.derived.derivations.values()].flatMap(({ source, target }) => [source, target])
  let compared = 0
  for await (const { items } of scanEntities(runtime, new Set(names), pace)) {
    for (const { entity, stored } of items) comparison.add(entity, stored)
    compared += items.length
  }
  return { compared, differences: await comparison.differences() }
}

class Comparison {
  readonly #runtime: DerivedRuntime
  readonly #amounts = new Map<string, { derivation: string; amounts: Map<string, string> }>()
  readonly #entries = new Map<string, { derivation: string; fingerprint: string }>()
  readonly #found = new Map<string, { entity: EntityRuntime; stored: StoredItem }>()
  readonly #ranked = new Map<string, () => Promise<AttributeValue | undefined>>()
  readonly #rankings = new Map<string, { derivation: string; set: string; entity: string }>()
  readonly #owners = new Map<string, StoredItem>()
  readonly #copies: { derivation: string; owner: string; entity: EntityRuntime; stored: StoredItem }[] = []

  constructor(runtime: DerivedRuntime) {
    this.#runtime = runtime
  }

  add(entity: EntityRuntime, stored: StoredItem): void {
    for (const { contribution } of this.#runtime.contributions(entity, stored)) {
      const { derivation, target } = contribution
      const id = targetId(target)
      if (contribution.kind === 'entry') {
        this.#entries.set(id, { derivation, fingerprint: contribution.fingerprint })
      } else {
        const expected = this.#amounts.get(id) ?? { derivation, amounts: new Map<string, string>() }
        const { attribute, amount } = contribution
        expected.amounts.set(attribute, addDecimals(expected.amounts.get(attribute) ?? '0', amount))
        this.#amounts.set(id, expected)
      }
    }
    this.#addRankings(entity, stored)
    this.#addCopies(entity, stored)
    const isTarget = [...this.#runtime.derived.derivations.values()].some(
      (each) => each.kind !== 'copy' && each.target === entity.name,
    )
    if (isTarget) this.#found.set(idOf(entity, stored), { entity, stored })
  }

  async differences(): Promise<readonly Difference[]> {
    return [
      ...this.#amountDifferences(),
      ...this.#entryDifferences(),
      ...(await this.#rankingDifferences()),
      ...this.#copyDifferences(),
    ]
  }

  #addRankings(entity: EntityRuntime, stored: StoredItem): void {
    for (const [name, derivation] of this.#runtime.of('ranking')) {
      if (derivation.source !== entity.name) continue
      const target = this.#runtime.entity(derivation.target)
      const rank = rankOf(derivation, entity, target, stored)
      if (rank === undefined) continue
      const id = JSON.stringify([name, rank.id])
      this.#rankings.set(id, { derivation: name, set: derivation.set, entity: rank.id })
      this.#ranked.set(id, () => rankingOf(this.#runtime, derivation, rank.at.parameters))
    }
  }

  #addCopies(entity: EntityRuntime, stored: StoredItem): void {
    for (const [name, derivation] of this.#runtime.of('copy')) {
      if (derivation.source === entity.name) this.#owners.set(`${name} ${idOf(entity, stored)}`, stored)
      if (derivation.target !== entity.name) continue
      const source = this.#runtime.entity(derivation.source)
      const reference = referenceOf(source, entity.decodePossible(stored))
      if (reference === undefined) continue
      this.#copies.push({ derivation: name, owner: `${name} ${idOf(source, reference)}`, entity, stored })
    }
  }

  *#amountDifferences(): Iterable<Difference> {
    const kept = this.#runtime.of('amount')
    const ids = new Set([...this.#amounts.keys(), ...this.#found.keys()])
    for (const id of ids) {
      const [entity, ...key] = JSON.parse(id) as [string, ...AttributeValue[]]
      for (const attribute of new Set(kept.flatMap(([, each]) => (each.target === entity ? [each.set] : [])))) {
        const expected = this.#amounts.get(id)?.amounts.get(attribute) ?? '0'
        const found = canonicalDecimal(this.#found.get(id)?.stored[attribute]?.N ?? '0')
        if (expected === found) continue
        const derivation = kept.find(([, each]) => each.target === entity && each.set === attribute)?.[0] ?? ''
        yield { derivation, key: this.#keyOf(entity, key), attribute, expected, found }
      }
    }
  }

  *#entryDifferences(): Iterable<Difference> {
    const targets = new Map(this.#runtime.of('entries').map(([name, { target }]) => [target, name]))
    for (const [id, { derivation, fingerprint }] of this.#entries) {
      const found = this.#found.get(id)
      const [entity, ...key] = JSON.parse(id) as [string, ...AttributeValue[]]
      if (found !== undefined && fingerprintOf(found.stored) === fingerprint) continue
      yield {
        derivation,
        key: this.#keyOf(entity, key),
        attribute: undefined,
        expected: 'an entry',
        found: found === undefined ? 'nothing' : 'another',
      }
    }
    for (const [id, { entity, stored }] of this.#found) {
      const derivation = targets.get(entity.name)
      if (derivation === undefined || this.#entries.has(id)) continue
      const key = keyFromValues(entity, keyValues(entity, stored))
      yield { derivation, key, attribute: undefined, expected: 'nothing', found: 'an entry' }
    }
  }

  async #rankingDifferences(): Promise<readonly Difference[]> {
    const differences: Difference[] = []
    const compared = new Set<string>()
    for (const [id, { derivation, set, entity }] of this.#rankings) {
      compared.add(`${derivation} ${entity}`)
      const expected = await this.#ranked.get(id)?.()
      const found = this.#found.get(entity)?.stored[set]
      if (isSameStored(expected, found)) continue
      const [name, ...key] = JSON.parse(entity) as [string, ...AttributeValue[]]
      differences.push({
        derivation,
        key: this.#keyOf(name, key),
        attribute: set,
        expected: text(expected),
        found: text(found),
      })
    }
    for (const [derivation, { target, set }] of this.#runtime.of('ranking')) {
      for (const [id, { entity, stored }] of this.#found) {
        if (entity.name !== target || stored[set] === undefined || compared.has(`${derivation} ${id}`)) continue
        const key = keyFromValues(entity, keyValues(entity, stored))
        differences.push({ derivation, key, attribute: set, expected: 'nothing', found: text(stored[set]) })
      }
    }
    return differences
  }

  *#copyDifferences(): Iterable<Difference> {
    for (const { derivation, owner, entity, stored } of this.#copies) {
      const definition = this.#runtime.derived.derivations.get(derivation)
      const from = this.#owners.get(owner)
      if (definition?.kind !== 'copy' || from === undefined || isCopied(definition, from, stored)) continue
      const key = keyFromValues(entity, keyValues(entity, stored))
      for (const [name, copy] of Object.entries(definition.attributes)) {
        if (isSameStored(from[name], stored[copy])) continue
        yield { derivation, key, attribute: copy, expected: text(from[name]), found: text(stored[copy]) }
      }
    }
  }

  #keyOf(entity: string, key: readonly AttributeValue[]): StoredItem {
    return keyFromValues(this.#runtime.entity(entity), key)
  }
}

function idOf(entity: EntityRuntime, stored: StoredItem): string {
  return targetId({ entity: entity.name, key: keyValues(entity, stored) })
}

function text(value: AttributeValue | undefined): string {
  return value === undefined ? 'nothing' : (value.S ?? value.N ?? JSON.stringify(value))
}
