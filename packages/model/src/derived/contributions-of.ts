import type { EntityRuntime, PlainItem, StoredItem } from '../client/entity-runtime.ts'
import { ModelError } from '../errors.ts'
import { shardOf } from '../keys/shard-of.ts'
import type { AmountDerivation, Derivation, EntriesDerivation, RankingDerivation } from './derivation.ts'
import type { Desired } from './contribution.ts'
import { canonicalDecimal } from './decimal.ts'
import { keyValues, sourceId } from './mark.ts'

type Entities = ReadonlyMap<string, EntityRuntime>

/** What an item contributes to counters, sums and entries. Nothing, if there is no item. */
export function contributionsOf(
  derivations: ReadonlyMap<string, Derivation>,
  entities: Entities,
  source: EntityRuntime,
  stored: StoredItem | undefined,
): readonly Desired[] {
  if (stored === undefined) return []
  const item = source.decodeItem(stored)
  return [...derivations].flatMap(([name, derivation]): readonly Desired[] => {
    if (derivation.source !== source.name) return []
    const target = entities.get(derivation.target)
    if (target === undefined) return []
    if (derivation.kind === 'amount') return amountOf(name, derivation, source, target, stored, item)
    if (derivation.kind === 'entries') return entriesOf(name, derivation, target, sourceId(source, stored), item)
    return []
  })
}

/** The attributes that make the key of the derived item which an item belongs to; undefined if it counts for none. */
export function groupOf(
  { by, when }: Pick<AmountDerivation | RankingDerivation, 'by' | 'when'>,
  target: EntityRuntime,
  sharedBy: string,
  item: PlainItem,
): PlainItem | undefined {
  if (!isCounted(when, item)) return undefined
  const given =
    typeof by === 'function'
      ? (by(item as never) as PlainItem | undefined)
      : Object.fromEntries((typeof by === 'string' ? [by] : by).map((name) => [name, item[name]]))
  if (given === undefined) return undefined
  const group: PlainItem = {}
  for (const { name, definition } of target.attributes) {
    if (given[name] !== undefined) group[name] = given[name]
    // Spread over the shards, but always the same for an item.
    else if (definition.shard !== undefined && target.primaryInputs.includes(name))
      group[name] = shardOf(sharedBy, definition.shard.count)
    else if (target.primaryInputs.includes(name)) return undefined
  }
  return group
}

/** A derived item without what is derived: its key, its group and its discriminator. */
export function emptyItem(target: EntityRuntime, group: PlainItem): StoredItem {
  const encoded: StoredItem = {}
  for (const [name, value] of Object.entries(group)) encoded[name] = target.encode(name, value)
  return target.addKeys(encoded)
}

function amountOf(
  derivation: string,
  definition: AmountDerivation,
  source: EntityRuntime,
  target: EntityRuntime,
  stored: StoredItem,
  item: PlainItem,
): readonly Desired[] {
  const { attribute, set } = definition
  const value = attribute === undefined ? 1 : item[attribute]
  if (value === undefined) return []
  const amount = attribute === undefined ? '1' : canonicalDecimal(source.encode(attribute, value).N ?? '0')
  if (amount === '0') return []
  const group = groupOf(definition, target, sourceId(source, stored), item)
  if (group === undefined) return []
  const empty = emptyItem(target, group)
  const place = { entity: target.name, key: keyValues(target, empty) }
  return [{ contribution: { kind: 'amount', derivation, target: place, attribute: set, amount }, item: empty }]
}

function entriesOf(
  derivation: string,
  { make }: EntriesDerivation,
  target: EntityRuntime,
  source: string,
  item: PlainItem,
): readonly Desired[] {
  const made = new Map<string, Desired>()
  for (const input of make(item as never)) {
    const entry = target.encodeItem(input as PlainItem, alwaysTheSame)
    const key = keyValues(target, entry)
    const fingerprint = fingerprintOf(entry)
    const place = { entity: target.name, key }
    made.set(JSON.stringify(key), {
      contribution: { kind: 'entry', derivation, target: place, fingerprint },
      item: { ...entry, [sourceAttribute]: { S: source } },
    })
  }
  return [...made.values()]
}

/** An entry is made again whenever it is compared. */
const alwaysTheSame = {
  now: (): never => {
    throw notTheSame()
  },
  random: (): never => {
    throw notTheSame()
  },
}

function notTheSame(): ModelError {
  return new ModelError(
    'INVALID_MODEL',
    'The entity of derived entries has a default that depends on time or chance. Entries must be the same each time they are made: give the attribute a value from the source item.',
  )
}

function isCounted(when: AmountDerivation['when'], item: PlainItem): boolean {
  if (when === undefined) return true
  if (typeof when === 'function') return when(item as never)
  return Object.entries(when).every(([name, wanted]) =>
    Array.isArray(wanted) ? wanted.includes(item[name]) : wanted === undefined || wanted === item[name],
  )
}

/** ON DISK: the source item that an entry was made of. */
export const sourceAttribute = '$source'

/** 64 bits of the item's text. */
export function fingerprintOf(item: StoredItem): string {
  const text = JSON.stringify(
    Object.entries(item)
      .filter(([name]) => name !== sourceAttribute)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    (_, value: unknown) => (value instanceof Uint8Array ? [...value] : value),
  )
  return shardOf(text, 2 ** 32).toString(36) + shardOf(`${text}.`, 2 ** 32).toString(36)
}
