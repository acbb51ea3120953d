import { compareText } from '../../keys/compare-stored.ts'
import { textOfTemplates } from '../../model/text-of-templates.ts'
import { distinctKeysOf, indexedShareOf, isCollection } from '../cardinality.ts'
import { typicalPerPartition } from '../data/plan-data.ts'
import type { Finding } from '../finding.ts'
import type { KindKey } from '../model-index.ts'
import { formatCount, listOf } from './format-figures.ts'
import { headOf } from './key-shapes.ts'
import type { ReviewContext } from './review-context.ts'

/** A limit counts items in the order of their keys, whichever entity they are: what sorts behind many others is never reached. */
export function reviewHiddenEntities(context: ReviewContext): Finding[] {
  return context.model.model.patterns.flatMap((pattern): Finding[] => {
    const { limit } = pattern
    if (pattern.action !== 'query' || limit === undefined) return []
    const kinds = context.model
      .kindsIn(context.model.placeOf(pattern))
      .filter(
        ({ kind, partition }) =>
          pattern.entities.includes(kind) && partition[0]?.text === pattern.partition?.[0]?.text,
      )
    if (kinds.length < 2) return []
    const direction = pattern.order === 'descending' ? -1 : 1
    const before = (other: KindKey, kind: KindKey): boolean => {
      const [a, b] = [headOf(other.sort[0]), headOf(kind.sort[0])]
      const isDecided = a !== '' && b !== '' && !a.startsWith(b) && !b.startsWith(a)
      return isDecided && compareText(a, b) * direction < 0
    }
    return kinds.flatMap((kind): Finding[] => {
      const earlier = kinds.filter((other) => before(other, kind))
      const items = earlier.reduce((sum, other) => sum + declaredItems(other, pattern.index), 0)
      if (items < limit) return []
      return [
        {
          code: 'limit-hides-entity',
          severity: 'warning',
          where: context.atPattern(pattern),
          reason: `${listOf(earlier.map((other) => other.kind))} items come first in the order of the sort key, typically ${formatCount(items)} of them, and the limit is ${limit}. So a call returns no ${kind.kind}, although the pattern is declared to return it.`,
          remedy: `Read ${kind.kind} with a pattern of its own, raise the limit, or change the order or the prefixes of the sort keys.`,
        },
      ]
    })
  })
}

/** Only what the model says, or what follows from its keys, is counted. */
function declaredItems({ entity, satellite, partition, sort }: KindKey, index: string | undefined): number {
  if (satellite !== undefined) return 0
  if (!isCollection(sort, partition)) return 1
  const { items, perPartition } = entity.volume
  if (index === undefined || textOfTemplates(partition) === entity.key.partition.text)
    return perPartition === undefined && items === undefined ? 0 : typicalPerPartition(entity)
  // The partitions of an index are others: how many there are follows from the values.
  const partitions = distinctKeysOf(entity, partition)
  return items === undefined || !Number.isFinite(partitions)
    ? 0
    : Math.floor((items * indexedShareOf(entity, index)) / partitions)
}
