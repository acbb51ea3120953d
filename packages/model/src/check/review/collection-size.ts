import type { EntityDescription, PatternDescription } from '../../description.ts'
import { isCollection } from '../cardinality.ts'
import type { Finding } from '../finding.ts'
import { holesOf, type KindKey } from '../model-index.ts'
import { formatBytes, formatCount } from './format-figures.ts'
import type { ReviewContext } from './review-context.ts'

const pageBytes = 1024 ** 2
const collectionLimitBytes = 10 * 1024 ** 3

/** Item collections: how large they become, and which patterns read them whole. */
export function reviewCollectionSize(context: ReviewContext): Finding[] {
  return [...unboundedReads(context), ...collectionsWithLocalIndexes(context)]
}

function unboundedReads(context: ReviewContext): Finding[] {
  return context.model.model.patterns.flatMap((pattern): Finding[] => {
    if (pattern.action !== 'query' || pattern.limit !== undefined || pattern.sort?.kind === 'equals') return []
    const read = context.model
      .kindsIn(context.model.placeOf(pattern))
      .filter(({ kind }) => pattern.entities.includes(kind))
    const collections = read.filter((kind) => isOpen(kind, pattern))
    const endless = collections.find((kind) => boundOf(kind) === undefined)
    if (endless !== undefined) {
      return [
        {
          code: 'unbounded-collection',
          severity: 'warning',
          where: context.atPattern(pattern),
          reason: `It reads every ${endless.kind} with the same partition key, and the model does not say how many there can be. The more there are, the more it costs and the longer it takes, in pages of 1 MB.`,
          remedy: `Give the pattern a limit and use the cursor to continue; or declare the maximum with .volume({ maxPerPartition })${hasPeriod(endless) ? '' : '; or add a time period to the partition key ({placedAt:month})'}.`,
        },
      ]
    }
    const bytes = collections.reduce((total, kind) => total + (boundOf(kind) ?? 0) * sizeOf(context, kind), 0)
    if (bytes <= pageBytes) return []
    return [
      {
        code: 'unbounded-collection',
        severity: 'warning',
        where: context.atPattern(pattern),
        reason: `The largest item collection it reads has ${formatBytes(bytes)}: ${formatCount(Math.ceil(bytes / pageBytes))} pages of 1 MB and ${formatCount(Math.ceil(bytes / 8192))} read units.`,
        remedy: `Give the pattern a limit, and use the cursor to continue.`,
      },
    ]
  })
}

/** Whether its partition key already ends with a period. */
function hasPeriod({ partition }: KindKey): boolean {
  return partition.some(({ parts }) => parts.some((part) => part.kind === 'hole' && part.format.kind === 'date'))
}

/** Whether there can be many items of the kind in what the pattern reads. */
function isOpen({ sort, partition }: KindKey, pattern: PatternDescription): boolean {
  const given = pattern.sort !== undefined && 'templates' in pattern.sort ? pattern.sort.templates : []
  return isCollection(sort, [...partition, ...given])
}

/** How many items of the kind a partition has at most, if that is declared. */
function boundOf({ entity, partition, satellite }: KindKey): number | undefined {
  if (satellite !== undefined) return entity.volume.maxPerPartition ?? 1
  const own = holesOf([entity.key.partition])
  const holes = holesOf(partition)
  const isWithinOwn = own.length > 0 && own.every((hole) => holes.includes(hole))
  const isOwn = partition[0] === entity.key.partition
  return isWithinOwn || isOwn ? entity.volume.maxPerPartition : undefined
}

function sizeOf(context: ReviewContext, { entity, indexKey }: KindKey): number {
  return indexKey === undefined ? context.itemBytesOf(entity) : context.entryBytesOf(entity, indexKey.index)
}

/** With a local index, all items of a partition key and their index entries must fit into 10 GB. */
function collectionsWithLocalIndexes(context: ReviewContext): Finding[] {
  return context.model.model.tables.flatMap((table) => {
    const locals = table.indexes.filter(({ kind }) => kind === 'local')
    if (locals.length === 0) return []
    const groups = new Map<string, EntityDescription[]>()
    for (const entity of context.model.model.entities.filter((each) => each.table === table.id)) {
      const text = entity.key.partition.text
      groups.set(text, [...(groups.get(text) ?? []), entity])
    }
    return [...groups.values()].flatMap((entities): Finding[] => {
      const names = locals.map(({ name }) => name)
      const endless = entities.find(
        ({ key, volume }) =>
          key.sort !== undefined &&
          isCollection([key.sort], [key.partition]) &&
          volume.maxPerPartition === undefined,
      )
      const bytes = entities.reduce((total, entity) => total + collectionBytes(context, entity, names), 0)
      if (endless === undefined && bytes < collectionLimitBytes / 2) return []
      const [first] = entities
      const where = endless ?? first
      if (where === undefined) return []
      const isOver = bytes >= collectionLimitBytes
      return [
        {
          code: 'collection-near-limit',
          severity: isOver ? 'error' : 'warning',
          where: context.atEntity(where),
          reason:
            endless === undefined || isOver
              ? `The largest item collection '${where.key.partition.text}' has ${formatBytes(bytes)}, including its local secondary index. Once it reaches 10 GB, further writes to it fail.`
              : `The model does not limit the number of ${endless.name} items under '${endless.key.partition.text}', and the table has the local secondary index ${names.join(', ')}. Once the item collection reaches 10 GB, further writes to it fail.`,
          remedy: `Use a global secondary index instead, add a time period to the partition key, or declare the maximum with .volume({ maxPerPartition }).`,
        },
      ]
    })
  })
}

function collectionBytes(context: ReviewContext, entity: EntityDescription, indexes: readonly string[]): number {
  const entries = indexes.reduce((total, index) => total + context.entryBytesOf(entity, index), 0)
  return (
    (entity.volume.maxPerPartition ?? 0) * ((entity.volume.maxItemBytes ?? context.itemBytesOf(entity)) + entries)
  )
}
