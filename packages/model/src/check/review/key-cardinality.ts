import { distinctKeysOf, indexedShareOf } from '../cardinality.ts'
import type { Finding } from '../finding.ts'
import { attributeOf, holesOf } from '../model-index.ts'
import { formatCount } from './format-figures.ts'
import type { ReviewContext } from './review-context.ts'
import { textOfTemplates } from '../../model/text-of-templates.ts'

const fewKeys = 100
const manyItems = 10_000

/** Partition keys with so few values that all items end up together. Sharded keys are few on purpose; whether they
 *  are enough depends on the traffic. */
export function reviewKeyCardinality(context: ReviewContext): Finding[] {
  const findings: Finding[] = []
  for (const place of context.model.places()) {
    if (place.index?.kind === 'local') continue
    for (const { entity, satellite, indexKey, partition } of context.model.kindsIn(place)) {
      if (satellite !== undefined) continue
      const keys = distinctKeysOf(entity, partition)
      if (keys > fewKeys || holesOf(partition).some((hole) => attributeOf(entity, hole)?.shard !== undefined))
        continue
      const { items, maxPerPartition } = entity.volume
      if (indexKey === undefined && maxPerPartition !== undefined && maxPerPartition <= manyItems) continue
      const held =
        items === undefined
          ? undefined
          : items * (indexKey === undefined ? 1 : indexedShareOf(entity, indexKey.index))
      if (held !== undefined && held / keys <= manyItems) continue
      const where = place.index === undefined ? 'the table' : `the index ${place.name}`
      findings.push({
        code: 'low-cardinality-key',
        severity: 'warning',
        where: context.atEntity(entity),
        reason: `The partition key '${textOfTemplates(partition)}' of ${where} has ${keys === 1 ? 'one value' : `only ${formatCount(keys)} values`}, so ${held === undefined ? 'all items' : `${formatCount(held / keys)} items`} share a partition that supports 1,000 writes per second.`,
        remedy: `Use an attribute with many distinct values in the partition key, or spread the key with s.shard(). If there are only a few items, say so with .volume({ items }).`,
      })
    }
  }
  return findings
}
