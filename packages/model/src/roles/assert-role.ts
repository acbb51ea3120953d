import type { ModelIndex } from '../check/model-index.ts'
import type { KeyTemplateDescription, PatternDescription, RoleDescription } from '../description.ts'
import { ModelError } from '../errors.ts'
import { needsOfPattern } from './pattern-needs.ts'

/** Throws a ModelError for a role that IAM would not take, or that no policy could keep to its tenant. */
export function assertRole(model: ModelIndex, { name, patterns, tenant }: RoleDescription): void {
  if (!/^[\w+=,.@-]{1,64}$/.test(name)) {
    throw new ModelError(
      'INVALID_MODEL',
      `"${name}" cannot be the name of a role. Use up to 64 letters, digits and _+=,.@- for it.`,
    )
  }
  if (patterns.length === 0) {
    throw new ModelError('INVALID_MODEL', `The role ${name} has no patterns. Name those that it may use.`)
  }
  for (const patternName of patterns) {
    const pattern = model.model.patterns.find((each) => each.name === patternName)
    if (pattern === undefined) {
      throw new ModelError(
        'INVALID_MODEL',
        `The role ${name} uses the pattern ${patternName}, which does not exist.`,
      )
    }
    if (tenant !== undefined) checkTenant(name, tenant, pattern, model)
  }
}

function checkTenant(role: string, tenant: string, pattern: PatternDescription, model: ModelIndex): void {
  if (pattern.action === 'scan') {
    throw new ModelError(
      'INVALID_MODEL',
      `The role ${role} is limited to one ${tenant}, but ${pattern.name} is a scan, which reads the items of all. Use a query, or give the pattern to a role without a tenant.`,
      { pattern: pattern.name },
    )
  }
  for (const templates of partitionsOf(model, pattern)) {
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

/** The partition keys of all items that the client reads or writes for a pattern, in the table or in an index. */
function partitionsOf(
  model: ModelIndex,
  pattern: PatternDescription,
): readonly (readonly KeyTemplateDescription[])[] {
  if (pattern.partition !== undefined) return [pattern.partition]
  return needsOfPattern(model, pattern).flatMap(({ partition }) => (partition === undefined ? [] : [[partition]]))
}
