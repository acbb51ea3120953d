import type { Finding } from '../finding.ts'
import type { KindKey } from '../model-index.ts'
import { formatCount, listOf } from './format-figures.ts'
import { headOf, shapeOf } from './key-shapes.ts'
import type { ReviewContext } from './review-context.ts'

/** Sort keys with a common beginning: `begins_with 'ORDER#'` also finds what begins with `ORDER#ITEM#`. */
export function reviewOverlappingPrefixes(context: ReviewContext): Finding[] {
  return [...overlappingKinds(context), ...unwantedItems(context)]
}

function overlappingKinds(context: ReviewContext): Finding[] {
  const findings = new Map<string, Finding>()
  for (const place of context.model.places()) {
    const kinds = context.model.kindsIn(place)
    for (const short of kinds) {
      for (const long of kinds) {
        if (!overlaps(short, long)) continue
        const [head, longHead] = [headOf(short.sort[0]), headOf(long.sort[0])]
        findings.set(`${short.kind} ${long.kind}`, {
          code: 'prefix-overlap',
          severity: 'warning',
          where: context.atEntity(long.entity),
          reason: `The sort keys of ${long.kind} begin with '${longHead}' and those of ${short.kind} with '${head}', under the same partition key, so a query for '${head}' reads both.`,
          remedy: `Give ${long.kind} a prefix of its own, such as '${renamed(longHead)}'.`,
        })
      }
    }
  }
  return [...findings.values()]
}

/** They only overlap if a hole follows the shorter beginning; if both continue with the same hole, one kind is meant
 *  to be below the other. */
function overlaps(short: KindKey, long: KindKey): boolean {
  if (short === long || shapeOf(short.partition) !== shapeOf(long.partition)) return false
  const [head, longHead] = [headOf(short.sort[0]), headOf(long.sort[0])]
  return (
    head !== '' &&
    longHead.length > head.length &&
    longHead.startsWith(head) &&
    short.sort[0]?.parts[1]?.kind === 'hole'
  )
}

/** `ORDER#ITEM#` as `ORDERITEM#`. */
function renamed(head: string): string {
  const words = head.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const separator = /[^A-Za-z0-9]+/.exec(head)?.[0] ?? '#'
  return `${words.join('')}${separator}`
}

/** Patterns whose range contains more than they return. */
function unwantedItems(context: ReviewContext): Finding[] {
  return context.model.model.patterns.flatMap((pattern): Finding[] => {
    if (pattern.operation !== 'Query' || pattern.via !== undefined) return []
    const found = Object.entries(context.measured(pattern)?.entities ?? {})
    const unwanted = found.filter(([kind]) => kind !== '?' && !pattern.entities.includes(kind))
    if (unwanted.length === 0) return []
    const counts = unwanted.map(([kind, count]) => `${formatCount(count)} of ${kind}`)
    return [
      {
        code: 'prefix-overlap',
        severity: 'warning',
        where: context.atPattern(pattern),
        reason: `It returns ${listOf(pattern.entities)}, but its key condition also matches ${listOf(counts)}. You pay to read these, and they are discarded.`,
        remedy: `Narrow the sort key, give ${listOf(unwanted.map(([kind]) => kind))} a different prefix, or return them too.`,
      },
    ]
  })
}
