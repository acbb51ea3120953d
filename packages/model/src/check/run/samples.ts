import type { PatternDescription } from '../../description.ts'
import type { GeneratedItem } from '../data/generate-data.ts'
import { isInIndex } from '../data/store-item.ts'
import { holesOf } from '../model-index.ts'
import type { CallKind, Trial } from './call-pattern.ts'
import { NotTried } from './not-tried.ts'

/** An item that the pattern should find. */
export function sampleFor(trial: Trial, pattern: PatternDescription, kind: CallKind): GeneratedItem {
  const groups = groupsFor(trial, pattern)
  const [busiest, ...others] = groups
  const group = kind === 'busiest' || others.length === 0 ? busiest : others[trial.random.below(others.length)]
  const item = group?.[trial.random.below(group.length)]
  if (item === undefined) throw new NotTried(`none of the generated items has what ${pattern.name} looks for`)
  return item
}

const knownGroups = new WeakMap<Trial, Map<string, readonly (readonly GeneratedItem[])[]>>()

/** The items that a pattern can be about, by partition key, the largest group first. */
function groupsFor(trial: Trial, pattern: PatternDescription): readonly (readonly GeneratedItem[])[] {
  const known = knownGroups.get(trial) ?? new Map<string, readonly (readonly GeneratedItem[])[]>()
  knownGroups.set(trial, known)
  const found = known.get(pattern.name) ?? findGroups(trial, pattern)
  known.set(pattern.name, found)
  return found
}

function findGroups({ model, items }: Trial, pattern: PatternDescription): readonly (readonly GeneratedItem[])[] {
  const { index } = model.placeOf(pattern)
  const entities = new Set(pattern.entities.map((kind) => model.ownerOf(kind)))
  const partitionHoles = holesOf(pattern.partition ?? []).filter((hole) => hole !== pattern.shards?.attribute)
  const sortHoles = pattern.sort !== undefined && 'templates' in pattern.sort ? holesOf(pattern.sort.templates) : []
  const groups = new Map<string, GeneratedItem[]>()
  for (const item of items) {
    const { entity, values } = item
    if (!entities.has(entity)) continue
    const key = entity.indexKeys.find((each) => each.index === index?.name)
    if (index !== undefined && (key === undefined || !isInIndex(key, values))) continue
    if (![...partitionHoles, ...sortHoles].every((hole) => values.has(hole))) continue
    const holes = pattern.partition === undefined ? holesOf([entity.key.partition]) : partitionHoles
    const text = JSON.stringify(holes.map((hole) => values.get(hole)))
    const group = groups.get(text)
    if (group === undefined) groups.set(text, [item])
    else group.push(item)
  }
  // A call is about a key under which all of its entities are: an order with its lines, not one without.
  const kinds = (group: readonly GeneratedItem[]): number => new Set(group.map(({ entity }) => entity.name)).size
  const most = Math.max(0, ...[...groups.values()].map(kinds))
  return [...groups.values()].filter((group) => kinds(group) === most).toSorted((a, b) => b.length - a.length)
}

export function samplesForSteps({ items, random }: Trial, pattern: PatternDescription): readonly GeneratedItem[] {
  return (pattern.steps ?? []).flatMap(({ entity, count }) => {
    const all = items.filter((item) => item.entity.name === entity)
    // No request may name an item twice.
    const first = random.below(all.length)
    return Array.from({ length: Math.min(count, all.length) }, (_, i) => all[(first + i) % all.length] ?? []).flat()
  })
}
