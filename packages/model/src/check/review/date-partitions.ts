import { concurrentKeysOf } from '../cardinality.ts'
import type { Finding } from '../finding.ts'
import { attributeOf, holesOf } from '../model-index.ts'
import { textOfTemplates } from '../../model/text-of-templates.ts'
import type { ReviewContext } from './review-context.ts'

/** A date as the partition key sends every write of the period to one partition. With declared traffic, that is judged by the
 *  traffic; without, it is worth a warning. */
export function reviewDatePartitions(context: ReviewContext): Finding[] {
  const { patterns } = context.model.model
  return context.model.places().flatMap((place): Finding[] => {
    if (place.index?.kind === 'local') return []
    return context.model.kindsIn(place).flatMap(({ entity, satellite, partition }): Finding[] => {
      const holes = holesOf(partition)
      const areDates = holes.length > 0 && holes.every((hole) => attributeOf(entity, hole)?.type === 'iso')
      if (satellite !== undefined || !areDates || concurrentKeysOf(entity, partition) > 1) return []
      const writes = patterns.filter(({ action, entities, steps }) =>
        ['create', 'put', 'upsert'].includes(action)
          ? entities.includes(entity.name)
          : steps?.some((step) => step.entity === entity.name && step.action !== 'get') === true,
      )
      const isDeclared = writes.some(({ traffic }) => traffic.rate !== undefined || traffic.peakRate !== undefined)
      if (isDeclared) return []
      const where = place.index === undefined ? 'the table' : `the index ${place.name}`
      return [
        {
          code: 'date-partition-key',
          severity: 'warning',
          where: context.atEntity(entity),
          reason: `The partition key '${textOfTemplates(partition)}' of ${where} is only a date, so at any moment all writes go to one partition, which supports 1,000 write units per second. The model does not say how many writes there are.`,
          remedy: `Add an attribute with many values or a shard (s.shard()) to the key; or declare the traffic of the patterns that write ${entity.name}, so that it can be judged.`,
        },
      ]
    })
  })
}
