import type { KeyTemplateDescription, ModelDescription, PatternDescription } from '../description.ts'
import { unreachable } from '../errors.ts'
import { quoted } from '../export/source-text.ts'
import { sourceOf } from './source-of.ts'

/** One access pattern as a model file defines it: `p.query({ pk: 'CUSTOMER#{customerId}', limit: 25 })`. */
export function patternSource(model: ModelDescription, pattern: PatternDescription): string {
  const { action, entities } = pattern
  const options = optionsOf(pattern)
  const second = Object.keys(options).length === 0 ? '' : `, ${sourceOf(options, 2)}`
  const entity = quoted(entities[0] ?? '')
  switch (action) {
    case 'get':
    case 'create':
    case 'put':
    case 'upsert':
    case 'delete':
    case 'update':
    case 'modify':
      return `p.${action}(${entity}${second})`
    case 'batchGet':
    case 'transactGet':
      return `p.${action}(${entities.length === 1 ? entity : sourceOf(entities)}${second})`
    case 'lookup':
      return `p.lookup(${entity}, ${quoted((pattern.via ?? '').slice((entities[0] ?? '').length + 1))}${second})`
    case 'transact': {
      const steps = (pattern.steps ?? []).map((step) => [`${step.entity}.${step.action}`, step.count])
      return `p.transact(${sourceOf(Object.fromEntries(steps), 2)}${second})`
    }
    case 'scan': {
      const specification = { on: placeOf(model, pattern), limit: pattern.limit, ...options }
      return `p.scan(${Object.values(specification).every((each) => each === undefined) ? '' : sourceOf(specification, 2)})`
    }
    case 'query':
      return `p.query(${sourceOf({ ...queryOf(model, pattern), ...options }, 2)})`
    default:
      return unreachable(action)
  }
}

function optionsOf(pattern: PatternDescription): Readonly<Record<string, unknown>> {
  const { isConsistent, changes, traffic, budget, owner, description } = pattern
  const all = {
    consistent: isConsistent ? true : undefined,
    changes,
    traffic: Object.keys(traffic).length > 0 ? traffic : undefined,
    budget: Object.keys(budget).length > 0 ? budget : undefined,
    owner,
    description,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

function queryOf(model: ModelDescription, pattern: PatternDescription): Readonly<Record<string, unknown>> {
  const { partition = [], sort, order, limit, filter } = pattern
  return {
    on: placeOf(model, pattern),
    pk: keyOf(partition),
    ...(sort?.kind === 'between' ? { between: [sort.from, sort.to] } : {}),
    ...(sort?.kind === 'equals' ? { sk: keyOf(sort.templates) } : {}),
    ...(sort?.kind === 'prefix' ? { sk: prefixOf(sort.templates) } : {}),
    ...(sort?.kind === 'range' ? { sk: prefixOf(sort.templates), range: sort.attribute } : {}),
    order: order === 'descending' ? 'desc' : undefined,
    limit,
    filter,
    entities: onlyThese(model, pattern),
  }
}

/** Named only if the query would meet others as well. */
function onlyThese({ entities }: ModelDescription, pattern: PatternDescription): readonly string[] | undefined {
  if (pattern.index !== undefined || pattern.sort !== undefined) return undefined
  const [partition] = pattern.partition ?? []
  const met = entities.filter(({ table, key }) => table === pattern.table && key.partition.text === partition?.text)
  return met.every(({ name }) => pattern.entities.includes(name)) ? undefined : pattern.entities
}

function placeOf({ tables }: ModelDescription, { index, table }: PatternDescription): string | undefined {
  if (index !== undefined) return index
  return tables.length === 1 ? undefined : table
}

function keyOf(templates: readonly KeyTemplateDescription[]): string | readonly string[] | undefined {
  if (templates.length > 1) return templates.map(({ attribute }) => attribute)
  return templates[0]?.text
}

/** Native attributes are a list, of which the first few are equal; text is marked as a beginning. */
function prefixOf(templates: readonly KeyTemplateDescription[]): string | readonly string[] | undefined {
  const [first] = templates
  if (first === undefined) return undefined
  return first.isNative ? templates.map(({ attribute }) => attribute) : `${first.text}*`
}
