import type {
  EntityDescription,
  KeyTemplateDescription,
  ModelDescription,
  ParameterDescription,
  PatternDescription,
  SortConditionDescription,
} from '@hashrange/model'

/** Texts by field: `customerId`, and for a range `placedAt.from`, `placedAt.to`, `placedAt.begins`. */
export type ParameterTexts = Readonly<Record<string, string>>

const readActions: ReadonlySet<string> = new Set(['get', 'query', 'scan', 'lookup'])

/** Whether it is a pattern that the query builder runs: one that reads by its parameters. */
export function isRunnable(pattern: PatternDescription): boolean {
  return readActions.has(pattern.action)
}

/** The parameters of a call, made of what was typed. `missing` names those without which it cannot be called. */
export interface PatternArguments {
  readonly parameters: Readonly<Record<string, unknown>>
  readonly missing: readonly string[]
  readonly problems: ReadonlyMap<string, string>
}

export function argumentsOf(pattern: PatternDescription, texts: ParameterTexts): PatternArguments {
  const parameters: Record<string, unknown> = {}
  const missing: string[] = []
  const problems = new Map<string, string>()
  const read = (parameter: ParameterDescription, field: string): unknown => {
    const text = texts[field] ?? ''
    if (text === '') return undefined
    const value = valueOf(typeOf(parameter), text)
    if (value === undefined) problems.set(field, `"${text.slice(0, 40)}" is not a valid ${typeOf(parameter)}.`)
    return value
  }
  for (const parameter of pattern.parameters) {
    const { name, kind, isRequired } = parameter
    if (kind === 'value') {
      const value = read(parameter, name)
      if (value !== undefined) parameters[name] = value
      else if (isRequired && !problems.has(name)) missing.push(name)
    } else if (kind === 'range') {
      const begins = texts[`${name}.begins`] ?? ''
      const from = read(parameter, `${name}.from`)
      const to = read(parameter, `${name}.to`)
      if (begins !== '') parameters[name] = { begins }
      else if (from !== undefined || to !== undefined) {
        parameters[name] = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
      }
      // One period after another is read from somewhere on.
      if (isRequired && from === undefined && !problems.has(`${name}.from`)) missing.push(`${name}.from`)
    }
  }
  return { parameters, missing, problems }
}

/** What is given for a set or a list is one of its elements. */
export function typeOf({ value }: ParameterDescription): string {
  if (value === undefined) return 'string'
  return value.type === 'set' || value.type === 'list' ? (value.element?.type ?? 'string') : value.type
}

/** What a value looks like, for somebody who types one. */
export function exampleOf(parameter: ParameterDescription): string {
  const examples: Readonly<Record<string, string>> = {
    iso: '2026-06-15',
    ulid: '01J8Z3K9…',
    uuid: '3f2b8c1e-…',
    number: '9.5',
    int: '42',
    ttl: '1770000000',
    version: '1',
  }
  return examples[typeOf(parameter)] ?? ''
}

function valueOf(type: string, text: string): unknown {
  switch (type) {
    case 'number':
    case 'int':
    case 'ttl':
    case 'version':
    case 'shard': {
      const number = Number(text)
      return text.trim() === '' || !Number.isFinite(number) ? undefined : number
    }
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined
    default:
      return text
  }
}

/** The key that a pattern reads by, as its model writes it. */
export interface PatternKey {
  readonly partition: readonly KeyTemplateDescription[]
  readonly sort: readonly KeyTemplateDescription[]
  /** How the sort key is compared: `=`, `begins with`. */
  readonly comparison: string
  /** Of a range: the hole that may be bounded, which follows the prefix. */
  readonly range: string | undefined
  /** Of two literal bounds: the sort key's attribute and what it is compared with. */
  readonly between: { readonly attribute: string; readonly from: string; readonly to: string } | undefined
}

export function keyOfPattern(model: ModelDescription, pattern: PatternDescription): PatternKey | undefined {
  if (pattern.action === 'query') {
    const { sort } = pattern
    return {
      partition: pattern.partition ?? [],
      sort: sort === undefined || sort.kind === 'between' ? [] : sort.templates,
      comparison: sort === undefined ? '' : comparisons[sort.kind],
      range: sort?.kind === 'range' ? sort.attribute : undefined,
      between:
        sort?.kind === 'between'
          ? { attribute: sortAttributeOf(model, pattern), from: sort.from, to: sort.to }
          : undefined,
    }
  }
  const entity = model.entities.find(({ name }) => name === pattern.entities[0])
  if (pattern.action === 'get' && entity !== undefined) return ofKey(entity.key)
  if (pattern.action === 'lookup') {
    const satellite = satelliteOf(model.entities, pattern.via)
    return satellite === undefined ? undefined : ofKey(satellite.key)
  }
  return undefined
}

const comparisons: Readonly<Record<SortConditionDescription['kind'], string>> = {
  equals: '=',
  prefix: 'begins with',
  range: 'begins with',
  between: 'between',
}

function sortAttributeOf(model: ModelDescription, { table: id, index }: PatternDescription): string {
  const table = model.tables.find((each) => each.id === id)
  const sorted =
    index === undefined ? table?.sortKey : table?.indexes.find(({ name }) => name === index)?.sortKeys[0]
  return sorted?.name ?? 'sort key'
}

function ofKey(key: EntityDescription['key']): PatternKey {
  return {
    partition: [key.partition],
    sort: key.sort === undefined ? [] : [key.sort],
    comparison: '=',
    range: undefined,
    between: undefined,
  }
}

function satelliteOf(entities: readonly EntityDescription[], via: string | undefined) {
  return entities.flatMap(({ satellites }) => satellites).find(({ name }) => name === via)
}
