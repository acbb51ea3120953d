import type { EntityDescription } from '../../description.ts'
import type { Finding } from '../finding.ts'
import { holesOf } from '../model-index.ts'
import { listOf } from './format-figures.ts'
import type { ReviewContext } from './review-context.ts'
import { wordsOf } from './words-of.ts'

const tenant = /(^|_)(tenant|org|organi[sz]ation|workspace)(_?(id|slug|key))?$/

/** Where items are kept apart by tenant, a query without the tenant in its key returns items of all of them. */
export function reviewTenants(context: ReviewContext): Finding[] {
  const { entities, patterns, roles = [] } = context.model.model
  // Where roles say what tenants may call, the rest is for operators.
  const limited = roles.filter((role) => role.tenant !== undefined)
  const callable = new Set(limited.flatMap((role) => role.patterns))
  const keptApart = entities.filter((entity) => tenantOf(entity) !== undefined)
  // One entity with such a name may be the list of tenants itself.
  if (keptApart.length < 2) return []
  return patterns.flatMap((pattern): Finding[] => {
    if (pattern.action !== 'query' || pattern.sort?.kind === 'equals') return []
    if (limited.length > 0 && !callable.has(pattern.name)) return []
    const given = new Set([
      ...holesOf(pattern.partition ?? []),
      ...(pattern.sort !== undefined && 'templates' in pattern.sort ? holesOf(pattern.sort.templates) : []),
      ...(pattern.filter ?? []),
    ])
    const mixed = keptApart.filter((entity) => {
      const attribute = tenantOf(entity)
      return pattern.entities.includes(entity.name) && attribute !== undefined && !given.has(attribute)
    })
    const [first] = mixed
    if (first === undefined) return []
    const attribute = tenantOf(first) ?? ''
    const key = (pattern.partition ?? []).map(({ text }) => text).join(' + ')
    return [
      {
        code: 'crosses-tenants',
        severity: 'warning',
        where: context.atPattern(pattern),
        reason: `${listOf(mixed.map(({ name }) => name))} items are kept apart by ${attribute}, but the partition key '${key}' that it reads does not contain ${attribute}: one call can return items of several tenants.`,
        remedy: `Begin the partition key of the index with {${attribute}}. If operators need a list over all tenants, give it a pattern of its own, and leave that out of the roles that have a tenant.`,
      },
    ]
  })
}

function tenantOf({ key }: EntityDescription): string | undefined {
  return holesOf([key.partition]).find((hole) => tenant.test(wordsOf(hole)))
}
