import type { StoredItem } from '../client/entity-runtime.ts'
import { entityRuntimes, tableNamesOf } from '../client/client-functions.ts'
import type { PlannedModel } from '../client/client-functions.ts'
import { EntityKinds } from '../client/entity-kinds.ts'
import type { EntityDescription, ModelDescription, TableDescription } from '../description.ts'
import { rawTable } from '../import/read-data-model.ts'
import { EntityForms } from './entity-forms.ts'
import { stateKind } from './migration-state.ts'
import { predecessorOf } from './predecessor.ts'

/** A table that exists: what DescribeTable says of it, and some of its items. */
export interface LiveTable {
  /** What the model calls it. */
  readonly id: string
  readonly description: Readonly<Record<string, unknown>>
  readonly items: readonly StoredItem[]
}

export interface LiveModel {
  /** The model as the tables are now. */
  readonly before: ModelDescription
  /** The model itself, with as many items as the tables seem to have. */
  readonly after: ModelDescription
  readonly notes: readonly string[]
}

interface Sampled {
  items: number
  old: number
  strange: number
  unread: number
  message: string
  /** Key attributes of indexes that all of them have. */
  readonly lacking: Map<string, number>
}

/** Reads from tables and samples of their items which version of a model they have, so that the way to the model can be planned. */
export function liveModel(model: PlannedModel, tables: readonly LiveTable[]): LiveModel {
  const old = asTold(predecessorOf(model) ?? model, tables)
  const names = tableNamesOf(model.resolved, undefined)
  const [now, before] = [entityRuntimes(model, names), entityRuntimes(old, names)]
  const [newKinds, oldKinds] = [new EntityKinds(model.resolved, now), new EntityKinds(old.resolved, before)]
  const sampled = new Map<string, Sampled>()
  const volumes = new Map<string, number>()
  const kept = new Set<string>()
  let unknown = 0
  for (const { id, items, description } of tables) {
    const [table, oldTable] = [model, old].map(({ resolved }) => resolved.tables.find((each) => each.id === id))
    if (table === undefined || oldTable === undefined) continue
    const seen = new Map<string, number>()
    for (const stored of items) {
      const kind = newKinds.of(table, stored) ?? oldKinds.of(oldTable, stored)
      if (kind === undefined) unknown += Object.values(stored).some(({ S }) => S === stateKind) ? 0 : 1
      else kept.add(kind)
      const [fresh, known] = [now.get(kind ?? ''), before.get(kind ?? '')]
      if (kind === undefined || fresh === undefined || known === undefined) continue
      seen.set(kind, (seen.get(kind) ?? 0) + 1)
      judge(new EntityForms(known, fresh), names.get(id) ?? table.name, stored, sampled)
    }
    const count = Number(description['ItemCount'] ?? 0)
    for (const [kind, amount] of seen)
      volumes.set(kind, Math.max(amount, Math.round((count * amount) / Math.max(items.length, 1))))
  }
  const live = new Map(tables.map((each) => [each.id, each]))
  const counted = (entity: EntityDescription): EntityDescription => {
    const items = volumes.get(entity.name)
    return items === undefined ? entity : { ...entity, volume: { ...entity.volume, items } }
  }
  const liveTables = old.resolved.tables.flatMap((table) => liveTable(table, live.get(table.id)))
  return {
    before: {
      ...model.resolved,
      tables: liveTables,
      entities: model.resolved.entities.flatMap((entity) => {
        const found = sampled.get(entity.name)
        const previous = old.resolved.entities.find(({ name }) => name === entity.name)
        const chosen = found !== undefined && found.old > 0 && previous !== undefined ? previous : entity
        const indexKeys = chosen.indexKeys.filter(({ index }) => {
          const exists = liveTables.some(({ indexes }) => indexes.some(({ name }) => name === index))
          return exists || (found !== undefined && found.lacking.get(index) === undefined)
        })
        // Where there are items, but not one of their guards or index items, nobody has kept them so far.
        const satellites = chosen.satellites.filter(({ name }) => found === undefined || kept.has(name))
        const asFound = counted({ ...chosen, indexKeys, satellites })
        return liveTables.some(({ id }) => id === chosen.table) ? [asFound] : []
      }),
    },
    after: { ...model.resolved, entities: model.resolved.entities.map(counted) },
    notes: notesOf(sampled, unknown),
  }
}

/** The model with the discriminators that the items have: the attribute in which most of them name an entity. */
function asTold(model: PlannedModel, tables: readonly LiveTable[]): PlannedModel {
  const names = new Set(model.resolved.entities.map(({ name }) => name))
  const discriminatorIn = ({ items }: LiveTable): string | undefined => {
    const counts = new Map<string, number>()
    for (const item of items) {
      for (const [attribute, { S }] of Object.entries(item))
        if (S !== undefined && names.has(S)) counts.set(attribute, (counts.get(attribute) ?? 0) + 1)
    }
    return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0]
  }
  const told = model.resolved.tables.map((table) => {
    const live = tables.find(({ id }) => id === table.id)
    const found = live === undefined || table.discriminator === '' ? undefined : discriminatorIn(live)
    return found === undefined ? table : { ...table, discriminator: found }
  })
  return { ...model, resolved: { ...model.resolved, tables: told } }
}

function judge(forms: EntityForms, table: string, stored: StoredItem, sampled: Map<string, Sampled>): void {
  const found = sampled.get(forms.name) ?? {
    items: 0,
    old: 0,
    strange: 0,
    unread: 0,
    message: '',
    lacking: new Map<string, number>(),
  }
  sampled.set(forms.name, found)
  found.items++
  const form = forms.formOf(stored, table)
  if (form === undefined) found.strange++
  else if (form === forms.old && forms.isMoved) found.old++
  for (const key of forms.new.described.indexKeys) {
    const isThere = [...key.partition, ...key.sort].every(({ attribute }) => stored[attribute] !== undefined)
    if (!isThere && key.when === undefined) found.lacking.set(key.index, (found.lacking.get(key.index) ?? 0) + 1)
  }
  try {
    forms.new.decodeItem(stored)
  } catch (error) {
    found.unread++
    found.message ||= error instanceof Error ? error.message : String(error)
  }
}

function liveTable(table: TableDescription, live: LiveTable | undefined): readonly TableDescription[] {
  if (live === undefined) return []
  const { partitionKey, sortKey, indexes, stream } = rawTable(live.description, {})
  const { sortKey: _sortKey, stream: _stream, ...rest } = table
  return [{ ...rest, partitionKey, indexes, ...(sortKey !== undefined && { sortKey }), ...(stream && { stream }) }]
}

function notesOf(sampled: ReadonlyMap<string, Sampled>, unknown: number): readonly string[] {
  const notes = [...sampled].flatMap(([name, { items, old, strange, unread, message, lacking }]) => {
    const of = `of ${items} sampled ${name} items`
    return [
      ...(old > 0 ? [`${old} ${of} have the key that they had before (was).`] : []),
      ...(strange > 0
        ? [`${strange} ${of} have another key than the one that the model makes from their attributes.`]
        : []),
      ...(unread > 0 ? [`${unread} ${of} cannot be read by the model. ${message}`] : []),
      ...[...lacking].map(([index, count]) => `${count} ${of} have no key in the index ${index}.`),
    ]
  })
  return unknown === 0 ? notes : [...notes, `${unknown} sampled items belong to no entity of the model.`]
}
