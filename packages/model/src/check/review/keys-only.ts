import type { PatternDescription } from '../../description.ts'
import type { Finding } from '../finding.ts'
import { holesOf } from '../model-index.ts'
import { listOf } from './format-figures.ts'
import type { ReviewContext } from './review-context.ts'

/** A list of keys of which every item is then fetched costs a request for the list and a read for each item. */
export function reviewKeysOnly(context: ReviewContext): Finding[] {
  const { patterns } = context.model.model
  return patterns.flatMap((pattern): Finding[] => {
    const place = context.model.placeOf(pattern)
    if (pattern.action !== 'query' || place.index?.projection.type !== 'KEYS_ONLY' || pattern.limit === 1) return []
    const found = pattern.entities.flatMap((name) => context.model.entity(name) ?? [])
    const entities = found.filter(({ attributes, key, indexKeys }) => {
      const inKeys = new Set(
        holesOf([
          key.partition,
          ...(key.sort === undefined ? [] : [key.sort]),
          ...indexKeys.flatMap(({ partition, sort }) => [...partition, ...sort]),
        ]),
      )
      return attributes.some(({ name, isStored }) => isStored && !inKeys.has(name))
    })
    const names = new Set(entities.map(({ name }) => name))
    const follow = patterns.find(
      (other) => other.entities.some((name) => names.has(name)) && follows(other, pattern),
    )
    if (follow === undefined) return []
    return [
      {
        code: 'keys-only-then-get',
        severity: 'warning',
        where: context.atPattern(pattern),
        reason: `The index ${place.name} projects only keys, and ${follow.name} gets the items that it finds: each call costs a request for the list and one read for every item in it.`,
        remedy: `Project what lists of ${listOf([...names])} show (projection: ['…']), so that the list is one request.`,
      },
    ]
  })
}

/** Whether gets are as frequent as they are if each list is followed by them. */
function follows(other: PatternDescription, { traffic, limit }: PatternDescription): boolean {
  if (other.action === 'batchGet') {
    return other.traffic.rate === undefined || traffic.rate === undefined || other.traffic.rate >= traffic.rate / 2
  }
  if (other.action !== 'get' || traffic.items === undefined) return false
  // Items are got for other reasons as well: only a rate that fits tells.
  const share = (other.traffic.rate ?? 0) / ((traffic.rate ?? 0) * Math.min(traffic.items, limit ?? Infinity))
  return share >= 0.8 && share <= 1.5
}
