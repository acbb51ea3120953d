import type { KeyTemplateDescription, ModelDescription, RoleDescription } from '../description.ts'
import { ModelIndex } from '../check/model-index.ts'
import { assertRole } from './assert-role.ts'
import { needsOfPattern, type PatternNeed } from './pattern-needs.ts'

export interface PolicyStatement {
  readonly Sid: string
  readonly Effect: 'Allow'
  readonly Action: readonly string[]
  readonly Resource: string
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export interface RolePolicy {
  readonly Version: '2012-10-17'
  readonly Statement: readonly PolicyStatement[]
}

/** The least that a role needs for its patterns, as a policy of IAM: actions, tables and indexes, the partition keys that the templates allow (`dynamodb:LeadingKeys`), and
 *  the attributes that its items have (`dynamodb:Attributes`). The tenant is a tag of the principal. Throws a ModelError for a role that no policy could keep to its tenant. */
export function rolePolicy(model: ModelDescription, role: RoleDescription): RolePolicy {
  const index = new ModelIndex(model)
  assertRole(index, role)
  const needs = model.patterns
    .filter(({ name }) => role.patterns.includes(name))
    .flatMap((pattern) => needsOfPattern(index, pattern))
  return { Version: '2012-10-17', Statement: withSids(merged(grantsOf(needs, role.tenant))) }
}

/** What a role may do: all needs of one action on one place, together. */
interface Grant {
  readonly action: string
  readonly place: string
  readonly resource: string
  /** Patterns of partition keys; none if any key may be used. */
  readonly leadingKeys: readonly string[]
  readonly isAnyKey: boolean
  readonly attributes: readonly string[]
}

function grantsOf(needs: readonly PatternNeed[], tenant: string | undefined): readonly Grant[] {
  const grants = new Map<string, Grant>()
  for (const need of needs) {
    const { action, table, index, partition } = need
    const resource = `arn:aws:dynamodb:*:*:table/${table.name}${index === undefined ? '' : `/index/${index}`}`
    const known = grants.get(`${action} ${resource}`)
    const key = partition === undefined ? '*' : leadingKey(partition, tenant)
    grants.set(`${action} ${resource}`, {
      action,
      place: index ?? table.id,
      resource,
      leadingKeys: [...new Set([...(known?.leadingKeys ?? []), key])].toSorted(),
      isAnyKey: known?.isAnyKey === true || key === '*',
      attributes: [...new Set([...(known?.attributes ?? []), ...need.attributes])].toSorted(),
    })
  }
  return [...grants.values()]
}

/** The partition keys that a template makes: literals as they are, the tenant's as the principal's tag says it, and anything from the next hole on. */
export function leadingKey({ parts }: KeyTemplateDescription, tenant: string | undefined): string {
  let text = ''
  for (const part of parts) {
    if (part.kind === 'literal') text += part.text.replaceAll(/[*?$]/g, (mark) => `\${${mark}}`)
    else if (part.attribute === tenant) text += `\${aws:PrincipalTag/${tenant}}`
    else return `${text}*`
  }
  return text
}

interface Together extends Omit<Grant, 'action'> {
  readonly actions: readonly string[]
}

/** Actions with the same limits are one statement. */
function merged(grants: readonly Grant[]): readonly Together[] {
  const together = new Map<string, Together>()
  for (const { action, ...limits } of grants) {
    const name = JSON.stringify(limits)
    together.set(name, { ...limits, actions: [...(together.get(name)?.actions ?? []), action] })
  }
  return [...together.values()]
}

function withSids(grants: readonly Together[]): readonly PolicyStatement[] {
  return grants.map((grant) => ({
    Sid: [...grant.actions, 'On', grant.place].map(capitalized).join('').slice(0, 100),
    Effect: 'Allow',
    Action: grant.actions.map((action) => `dynamodb:${action}`),
    Resource: grant.resource,
    ...conditionOf(grant),
  }))
}

/** `ForAllValues` holds where there are no values at all, and so is accompanied by `Null`. */
function conditionOf({ isAnyKey, leadingKeys, attributes }: Together): Pick<PolicyStatement, 'Condition'> {
  const names = { 'dynamodb:Attributes': attributes }
  if (isAnyKey) return { Condition: { 'ForAllValues:StringEquals': names } }
  return {
    Condition: {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': leadingKeys },
      'ForAllValues:StringEquals': names,
      Null: { 'dynamodb:LeadingKeys': 'false' },
    },
  }
}

/** An identifier of a statement has letters and digits alone. */
function capitalized(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}
