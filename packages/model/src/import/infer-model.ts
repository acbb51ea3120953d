import { counted } from '../counted.ts'
import { keyText } from '../keys/key-text.ts'
import type {
  EntityDescription,
  KeyTemplateDescription,
  ModelDescription,
  PatternDescription,
} from '../description.ts'
import { coverModel, kindOfKey } from '../coverage/index.ts'
import type { RecordedCall } from '../coverage/index.ts'
import { candidatePatterns } from './candidate-patterns.ts'
import { importModel, type ImportedModel } from './import-model.ts'
import { withPlainNumbers } from './plain-numbers.ts'
import type { RawItem } from './raw-model.ts'
import { rawTable } from './read-data-model.ts'

/** A table that exists: what DescribeTable says of it, and some of its items in DynamoDB's JSON. */
export interface ExistingTable {
  readonly description: object
  readonly items: readonly RawItem[]
}

/** Drafts a model of tables that exist, from samples of their items. With calls from a log, its patterns are those that were called,
 *  at the rates at which they were; without, they are guesses. The notes say how sure it is of what. */
export function inferModel(
  name: string,
  given: readonly ExistingTable[],
  calls: readonly RecordedCall[] = [],
): ImportedModel {
  const tables = given.map(({ description, items }) => ({ description, items: items.map(withPlainNumbers) }))
  const raw = tables.map(({ description, items }) => ({
    ...rawTable({ ...description }, {}),
    groups: [{ attributes: [], items }],
  }))
  const { description, notes } = importModel({ name, tables: raw, patterns: [] }, { isByKey: true })
  const sureness = tables.flatMap(({ items }, i) => surenessOf(description, raw[i]?.name ?? '', items))
  const { patterns, notes: used } = usedPatterns(description, calls)
  return { description: { ...description, patterns }, notes: [...notes, ...sureness, ...used] }
}

function usedPatterns(
  model: ModelDescription,
  calls: readonly RecordedCall[],
): { readonly patterns: readonly PatternDescription[]; readonly notes: readonly string[] } {
  const candidates = candidatePatterns(model)
  if (calls.length === 0) {
    const patterns = candidates.flatMap(({ pattern, isUsual }) => (isUsual ? [pattern] : []))
    return { patterns, notes: ['The patterns are guesses from the keys. Remove those that you do not need.'] }
  }
  const all = candidates.map(({ pattern }) => pattern)
  const coverage = coverModel({ ...model, patterns: all }, calls)
  const notes: string[] = []
  const patterns = all.flatMap((pattern) => {
    const found = coverage.patterns.find((each) => each.pattern === pattern.name)
    if (found === undefined || found.calls + found.sharedCalls === 0) return []
    if (found.sharedCalls > 0) {
      notes.push(
        `${pattern.name} is one of several patterns that the log cannot tell apart (${[pattern.name, ...found.sharedWith].join(', ')}): ${counted(found.sharedCalls, 'call')}.`,
      )
    }
    return [{ ...pattern, traffic: { rate: Number(found.rate.toPrecision(3)) } }]
  })
  for (const { what, calls: amount } of coverage.uncovered)
    notes.push(`Not covered: ${what}, ${counted(amount, 'call')}.`)
  return { patterns, notes }
}

/** For each entity, how many of the sampled items have the keys that its templates make of them. */
function surenessOf(model: ModelDescription, tableName: string, items: readonly RawItem[]): readonly string[] {
  const table = model.tables.find(({ name }) => name === tableName)
  if (table === undefined) return []
  const groups = new Map<string, RawItem[]>()
  let strange = 0
  for (const item of items) {
    const said = table.discriminator === '' ? undefined : item[table.discriminator]?.['S']
    const kind = typeof said === 'string' ? said : kindOfKey(model, table, item)?.entity.name
    // A guard or an index item belongs to the entity that keeps it.
    if (model.entities.some(({ satellites }) => satellites.some(({ name }) => name === kind))) continue
    if (kind === undefined || !model.entities.some(({ name }) => name === kind)) strange++
    else groups.set(kind, [...(groups.get(kind) ?? []), item])
  }
  const lines = model.entities.flatMap((entity) => {
    const own = groups.get(entity.name) ?? []
    return entity.table === table.id ? [sentence(entity, own), ...guesses(entity, own)] : []
  })
  return strange === 0
    ? lines
    : [
        ...lines,
        `${counted(strange, 'sampled item')} of ${tableName} ${strange === 1 ? 'belongs' : 'belong'} to no entity.`,
      ]
}

function sentence(entity: EntityDescription, items: readonly RawItem[]): string {
  const { partition, sort } = entity.key
  const templates = sort === undefined ? [partition] : [partition, sort]
  const fitting = items.filter((item) => templates.every((template) => makes(template, item))).length
  const keys = templates.map(({ text }) => `'${text}'`).join(' and ')
  const sure =
    items.length < 3
      ? 'too few to be sure'
      : fitting === items.length
        ? 'sure: all of them fit'
        : `not sure: only ${fitting} fit`
  return `${entity.name}: ${counted(items.length, 'sampled item')} with the key ${keys} (${sure}).`
}

/** Attributes that only keys show have a name that nobody gave them. */
function guesses(entity: EntityDescription, items: readonly RawItem[]): readonly string[] {
  if (items.length === 0) return []
  const present = new Set(items.flatMap((item) => Object.keys(item)))
  const made = entity.attributes.filter(({ name }) => !present.has(name)).map(({ name }) => name)
  return made.length === 0
    ? []
    : [
        made.length === 1
          ? `${entity.name}: ${made.join(', ')} is only in keys; its name is a guess.`
          : `${entity.name}: ${made.join(', ')} are only in keys; their names are guesses.`,
      ]
}

/** Whether the template makes the very key of the item; what only the key holds cannot tell. */
function makes(template: KeyTemplateDescription, item: RawItem): boolean {
  const stored = item[template.attribute]
  if (template.isNative) return stored !== undefined
  if (template.parts.some((part) => part.kind === 'hole' && item[part.attribute] === undefined)) return true
  try {
    return keyText(template.parts, (name) => item[name] as never) === stored?.['S']
  } catch {
    return false
  }
}
