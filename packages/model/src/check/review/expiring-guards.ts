import type { Finding } from '../finding.ts'
import { listOf } from './format-figures.ts'
import type { ReviewContext } from './review-context.ts'

/** Time to live deletes the item and its guard, each some time after it has expired, and not together. */
export function reviewExpiringGuards(context: ReviewContext): Finding[] {
  return context.model.model.entities.flatMap((entity): Finding[] => {
    const ttl = entity.attributes.find(({ type }) => type === 'ttl')
    const guards = entity.satellites.filter(({ kind }) => kind === 'unique')
    if (ttl === undefined || guards.length === 0) return []
    const names = listOf(guards.flatMap(({ attributes }) => attributes))
    return [
      {
        code: 'unique-with-ttl',
        severity: 'note',
        where: context.atEntity(entity),
        reason: `${names} of ${entity.name} must be unique, and the items expire (${ttl.name}). The guard expires with its item and its value is free from then on, but DynamoDB may take days to delete them, and does not delete them together. Until then, reads still return the expired item.`,
        remedy: `Ignore expired items when you read them (compare ${ttl.name} with the time), or delete them yourself when they end.`,
      },
    ]
  })
}
