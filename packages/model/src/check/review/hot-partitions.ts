import { isCollection } from '../cardinality.ts'
import type { Finding } from '../finding.ts'
import { attributeOf, holesOf } from '../model-index.ts'
import { formatCount, formatShare, listOf } from './format-figures.ts'
import { loadKey, partitionLoads, type PartitionLoad } from './partition-loads.ts'
import type { ReviewContext } from './review-context.ts'
import { textOfTemplates } from '../../model/text-of-templates.ts'

/** What one partition can take, however much the table may. A single key cannot be split further. */
const partitionLimits = { readUnits: 3000, writeUnits: 1000 }
/** A shard should be no busier than this, so that there is room for peaks. */
const plannedUtilisation = 0.7
const warningUtilisation = 0.8

/** Simulates the declared peak on partitions of 1,000 write and 3,000 read units, the busiest key alone in one of them, as
 *  splitting for heat leaves it. */
export function reviewHotPartitions(context: ReviewContext): Finding[] {
  const groups = new Map<string, PartitionLoad[]>()
  for (const load of partitionLoads(context)) {
    const group = groups.get(loadKey(load))
    if (group === undefined) groups.set(loadKey(load), [load])
    else group.push(load)
  }
  return [...groups.values()].flatMap((loads) => [
    ...findingFor(context, loads, 'readUnits'),
    ...findingFor(context, loads, 'writeUnits'),
  ])
}

function findingFor(
  context: ReviewContext,
  all: readonly PartitionLoad[],
  kind: 'readUnits' | 'writeUnits',
): Finding[] {
  const loads = all.filter((load) => load[kind] > 0).toSorted((a, b) => b[kind] - a[kind])
  const [first] = loads
  const demand = loads.reduce((total, load) => total + load[kind], 0)
  const limit = partitionLimits[kind]
  if (first === undefined || demand <= limit * warningUtilisation) return []
  const { place, templates, entity, shareIs } = first
  const { items = 1, maxPerPartition = 0 } = entity.volume
  const source =
    shareIs === 'inferred'
      ? ` The model declares no skew, but the largest partition key has ${formatShare(Math.min(1, maxPerPartition / items))} of all ${entity.name} items, so the checker assumes that it gets the same share of the calls.`
      : ''
  const throttled = Math.max(0, 1 - limit / demand)
  const isWrite = kind === 'writeUnits'
  const where = place.index === undefined ? 'the table' : `the index ${place.name}`
  const names = [...new Set(loads.map(({ pattern }) => pattern.name))]
  const shardHole = holesOf(templates).find((hole) => attributeOf(entity, hole)?.shard !== undefined)
  const shardsNow = shardHole === undefined ? 1 : (attributeOf(entity, shardHole)?.shard?.count ?? 1)
  const shards = Math.ceil((demand / (limit * plannedUtilisation)) * shardsNow)
  const consequence =
    throttled === 0
      ? `which leaves ${formatShare(1 - demand / limit)} for growth`
      : isWrite && place.index?.kind === 'global'
        ? `so ${formatShare(throttled)} of them would be throttled. Because of back pressure from the global secondary index, the writes to the table would be throttled too`
        : `so ${formatShare(throttled)} of them would be throttled`
  return [
    {
      code: 'hot-partition',
      severity: throttled > 0 ? 'error' : 'warning',
      where: context.atPattern(first.pattern),
      reason: `At its peak, ${listOf(names)} ${names.length === 1 ? 'puts' : 'put'} ${formatCount(demand)} ${isWrite ? 'write' : 'read'} units a second on the busiest key '${textOfTemplates(templates)}' of ${where}; one partition supports ${formatCount(limit)}, ${consequence}.${source}`,
      remedy: remedyFor(first, shardHole, shards, isWrite),
    },
  ]
}

function remedyFor(
  { place, templates, entity }: PartitionLoad,
  shardHole: string | undefined,
  shards: number,
  isWrite: boolean,
): string {
  if (shardHole !== undefined) return `Increase ${shardHole} to ${shards} shards: s.shard(${shards}, …).`
  const isSingle = entity.key.sort === undefined || !isCollection([entity.key.sort], [entity.key.partition])
  if (isWrite && isSingle && place.index === undefined) {
    return `One item cannot be spread. Write each change as an item of its own and add the changes up, or queue the changes; only a counter without conditions can be split into several.`
  }
  const by = holesOf(
    entity.key.sort === undefined ? [entity.key.partition] : [entity.key.sort, entity.key.partition],
  ).find((hole) => !holesOf(templates).includes(hole) && attributeOf(entity, hole)?.type !== 'iso')
  const sharded = `spread the key over ${shards} shards: add shard: s.shard(${shards}${by === undefined ? '' : `, '${by}'`}) and write the key as '${textOfTemplates(templates)}#{shard}'`
  return isWrite ? `${capital(sharded)}.` : `Cache these reads, or ${sharded}.`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
