import type {
  EntityDescription,
  KeyTemplateDescription,
  ModelDescription,
  PatternDescription,
  PolicyDescription,
  RoleDescription,
} from '../description.ts'
import { ModelError } from '../errors.ts'
import { defined } from './defined.ts'

export interface RoleSpecification<PatternName extends string> {
  readonly patterns: readonly PatternName[]
  /** The attribute that says whose an item is: it comes first in the partition key of everything that the role uses. */
  readonly tenant?: string
  /** The policy that the role has in production, if you write it yourself. */
  readonly policy?: PolicyDescription
  readonly description?: string
}

export type Roles<PatternName extends string> = Readonly<Record<string, RoleSpecification<PatternName>>>

type Parts = Pick<ModelDescription, 'tables' | 'entities' | 'patterns'>

/** The roles of a model as data. Throws a ModelError for one that no policy could keep to its tenant. */
export function resolveRoles(roles: Roles<string> | undefined, parts: Parts): readonly RoleDescription[] {
  return Object.entries(roles ?? {}).map(([name, role]) => {
    if (!/^[\w+=,.@-]{1,64}$/.test(name)) {
      throw new ModelError(
        'INVALID_MODEL',
        `"${name}" cannot be the name of a role. Use up to 64 letters, digits and _+=,.@- for it.`,
      )
    }
    if (role.patterns.length === 0) {
      throw new ModelError('INVALID_MODEL', `The role ${name} has no patterns. Name those that it may use.`)
    }
    for (const patternName of role.patterns) {
      const pattern = parts.patterns.find((each) => each.name === patternName)
      if (pattern === undefined) {
        throw new ModelError(
          'INVALID_MODEL',
          `The role ${name} uses the pattern ${patternName}, which does not exist.`,
        )
      }
      if (role.tenant !== undefined) checkTenant(name, role.tenant, pattern, parts)
    }
    const { patterns, tenant, policy, description } = role
    return defined({ name, patterns: [...new Set(patterns)], tenant, policy, description })
  })
}

function checkTenant(role: string, tenant: string, pattern: PatternDescription, parts: Parts): void {
  if (pattern.action === 'scan') {
    throw new ModelError(
      'INVALID_MODEL',
      `The role ${role} is limited to one ${tenant}, but ${pattern.name} is a scan, which reads the items of all. Use a query, or give the pattern to a role without a tenant.`,
      { pattern: pattern.name },
    )
  }
  for (const templates of partitionsOf(pattern, parts)) {
    const [template] = templates
    if (template !== undefined && templates.length === 1 && isTenantFirst(template, tenant)) continue
    const text = templates.map((each) => each.text).join(', ')
    throw new ModelError(
      'INVALID_MODEL',
      `The role ${role} is limited to one ${tenant}, but the partition key ${text} of ${pattern.name} does not begin with {${tenant}}, or goes on without a separator after it. Begin the key with it, such as TENANT#{${tenant}}, or give the pattern to a role without a tenant.`,
      { pattern: pattern.name },
    )
  }
}

/** Literals, the tenant, and then nothing or a separator: what follows `TENANT#a` must not make it `TENANT#ab`. */
function isTenantFirst({ parts }: KeyTemplateDescription, tenant: string): boolean {
  const at = parts.findIndex(({ kind }) => kind === 'hole')
  const hole = parts[at]
  const next = parts[at + 1]
  return hole?.kind === 'hole' && hole.attribute === tenant && hole.format.kind === 'plain' && next?.kind !== 'hole'
}

/** The partition keys of all items that a pattern reads or writes in the table, and of the index that it reads. */
function partitionsOf(
  pattern: PatternDescription,
  { entities }: Parts,
): readonly (readonly KeyTemplateDescription[])[] {
  if (pattern.partition !== undefined) return [pattern.partition]
  const names = new Set([...pattern.entities, ...(pattern.steps ?? []).map(({ entity }) => entity)])
  return entities.flatMap((entity) => keysOf(entity, names))
}

function keysOf(
  entity: EntityDescription,
  names: ReadonlySet<string>,
): readonly (readonly KeyTemplateDescription[])[] {
  const own = names.has(entity.name) ? [[entity.key.partition]] : []
  const satellites = entity.satellites.filter(({ name }) => names.has(entity.name) || names.has(name))
  return [...own, ...satellites.map(({ key }) => [key.partition])]
}
