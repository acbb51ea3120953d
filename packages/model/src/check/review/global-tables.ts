import type {
  EntityDescription,
  GlobalTableDescription,
  PatternDescription,
  StepDescription,
} from '../../description.ts'
import type { Finding } from '../finding.ts'
import { listOf } from './format-figures.ts'
import type { ReviewContext } from './review-context.ts'

/** What is safe in one region, and not in several: the last write of an item wins, and conditions and transactions see
 *  one region only. */
export function reviewGlobalTables(context: ReviewContext): Finding[] {
  const writes = context.model.model.patterns.flatMap((pattern) => writesOf(context, pattern))
  return [
    ...writes.flatMap((write) => ((write.global.writes ?? 'any') === 'any' ? lostWrites(context, write) : [])),
    ...guards(context, writes),
  ]
}

/** A write of one entity in a global table whose regions agree later. */
interface Write {
  readonly pattern: PatternDescription
  readonly action: StepDescription['action']
  readonly entity: EntityDescription
  readonly global: GlobalTableDescription
}

function writesOf(context: ReviewContext, pattern: PatternDescription): readonly Write[] {
  const steps = pattern.steps ?? pattern.entities.map((entity) => ({ entity, action: pattern.action }))
  return steps.flatMap(({ entity: name, action }): Write | readonly [] => {
    const entity = context.model.entity(name)
    const global = entity && context.model.tableOf(entity).global
    if (entity === undefined || global === undefined || global.consistency === 'strong') return []
    return isWrite(action) ? { pattern, action, entity, global } : []
  })
}

function isWrite(action: string): action is StepDescription['action'] {
  return ['create', 'put', 'update', 'modify', 'upsert', 'delete'].includes(action)
}

/** What is read or added to in one region, while another region does the same. */
function lostWrites(context: ReviewContext, write: Write): Finding[] {
  const { pattern, action, entity } = write
  const where = context.atPattern(pattern)
  const version = entity.attributes.find(({ type }) => type === 'version')
  if (version !== undefined && action !== 'create') {
    return [
      {
        code: 'global-version',
        severity: 'warning',
        where,
        reason: `${version.name} of ${entity.name} is compared with the item in the region of the request. Two regions can both find the version that they have read, and both writes succeed; a moment later, one of them is gone in all regions.`,
        remedy: `${homeRegion(entity)} Or use multi-Region strong consistency, where conditions see all regions.`,
      },
    ]
  }
  if (action === 'modify') {
    return [
      {
        code: 'global-read-modify-write',
        severity: 'warning',
        where,
        reason: `${pattern.name} reads ${entity.name} and writes what it made of it. If another region changes the item meanwhile, one of the two changes is lost without an error: the last write of the whole item wins.`,
        remedy: `${homeRegion(entity)} Or write each change as an item of its own.`,
      },
    ]
  }
  const counters = countersOf(write)
  if (counters.length === 0) return []
  return [
    {
      code: 'global-counter',
      severity: 'warning',
      where,
      reason: `${pattern.name} changes ${listOf(counters)} of ${entity.name}. Each region adds to the number that it has, and the last write of the whole item wins: what two regions add at the same time is counted once.`,
      remedy: `Keep one counter for each region (put the region into the key) and add them up on read; or write an item for each event. ${homeRegion(entity)} If the number is only ever set, nothing is miscounted.`,
    },
  ]
}

/** Numbers that the pattern says it changes, where the item stays. */
function countersOf({ pattern, action, entity }: Write): readonly string[] {
  if (action !== 'update' && action !== 'upsert') return []
  const isNumber = (name: string): boolean =>
    entity.attributes.some(
      (one) => one.name === name && (one.type === 'number' || one.type === 'int') && one.isSetOnWrite !== true,
    )
  const changed = action === 'upsert' ? entity.attributes.map(({ name }) => name) : (pattern.changes ?? [])
  const keys = new Set(
    [entity.key.partition, ...(entity.key.sort === undefined ? [] : [entity.key.sort])].flatMap(({ parts }) =>
      parts.flatMap((part) => (part.kind === 'hole' ? part.attribute : [])),
    ),
  )
  return changed.filter((name) => isNumber(name) && !keys.has(name))
}

/** A guard is unique in its region. A home region for each item does not help: two items may have different ones. */
function guards(context: ReviewContext, writes: readonly Write[]): Finding[] {
  const guarded = writes.filter(({ action, global }) => action !== 'delete' && global.writes !== 'one')
  return [...new Set(guarded.map(({ entity }) => entity))].flatMap((entity): Finding[] => {
    const unique = entity.satellites.filter(({ kind }) => kind === 'unique').flatMap(({ attributes }) => attributes)
    if (unique.length === 0) return []
    return [
      {
        code: 'global-unique',
        severity: 'error',
        where: context.atEntity(entity),
        reason: `${listOf(unique)} of ${entity.name} must be unique, which a transaction ensures in its own region only. Two regions can both claim the same value; both succeed, and later one of the two guards is gone, but both items stay.`,
        remedy: `Create ${entity.name} in one region only, and declare that for its table: global: { …, writes: 'one' }; or make the value the key of the item, and let the last one win.`,
      },
    ]
  })
}

function homeRegion({ name }: EntityDescription): string {
  return `Write each ${name} in a home region only, and declare that for its table: global: { …, writes: 'home' }.`
}
