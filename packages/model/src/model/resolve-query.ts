import type {
  EntityDescription,
  IndexDescription,
  IndexKeyDescription,
  KeyFormatDescription,
  KeyPartDescription,
  KeyTemplateDescription,
  ParameterDescription,
  PatternDescription,
  SortConditionDescription,
  TableDescription,
} from '../description.ts'
import { ModelError } from '../errors.ts'
import type { KeyText } from '../keys/template-types.ts'
import { compareText } from '../keys/compare-stored.ts'
import { parseTemplate } from '../keys/parse-template.ts'
import { attributeIn, parameterOf, sourcesOf } from './parameters.ts'
import type { PatternDefinition } from './patterns.ts'
import type { PatternBody, ResolvedModel } from './resolve-pattern.ts'
import { holesOf, shapeOf, shapeOfParts } from './resolve-template.ts'
import { textOfTemplates } from './text-of-templates.ts'

type Query = NonNullable<PatternDefinition['query']>

/** A kind of item in the place that a query reads. */
interface PresentKind {
  readonly name: string
  readonly entity: EntityDescription
  readonly partition: readonly KeyTemplateDescription[]
  readonly sort: readonly KeyTemplateDescription[]
  readonly shards?: IndexKeyDescription['shards']
}

export function resolveQuery(name: string, definition: PatternDefinition, model: ResolvedModel): PatternBody {
  const { query, options } = definition
  if (query === undefined) throw invalidPattern(name, 'has no query specification')
  const { table, index } = placeOf(name, query.on, model)
  if (index?.kind === 'global' && options.consistent === true) {
    throw invalidPattern(
      name,
      `asks for a strongly consistent read of the global secondary index ${index.name}, which DynamoDB does not support. Remove consistent`,
    )
  }
  const present = kindsIn(model, table, index)
  const partition = findPartition(name, query, present)
  const under = present.filter((kind) => shapeOf(kind.partition) === shapeOf(partition.partition))
  const matching = under.filter((kind) => sortFits(kind, query))
  if (matching.length === 0)
    throw noEntity(
      name,
      `the sort key '${String(query.sk)}'`,
      under.map((kind) => textOfTemplates(kind.sort)),
    )
  const sort = sortCondition(name, query, matching)
  const entities = matching.map((kind) => kind.entity)
  const holes = [
    ...holesOf(partition.partition),
    ...(sort !== undefined && 'templates' in sort ? holesOf(sort.templates) : []),
  ]
  assertAskable(name, query, partition, holes, matching)
  const shardHole = holes.find((hole) => attributeIn(hole, entities)?.shard !== undefined)
  const inputs = new Set(
    [...holes.filter((hole) => hole !== shardHole), ...(query.filter ?? [])].flatMap((hole) =>
      entities.flatMap((entity) => (attributeIn(hole, [entity]) === undefined ? [] : sourcesOf(hole, entity))),
    ),
  )
  const buckets = sort?.kind === 'range' ? bucketsOf(name, partition, sort, shardHole) : undefined
  if (buckets !== undefined) inputs.delete(buckets.attribute)
  if (sort?.kind === 'range' && inputs.has(sort.attribute))
    throw rangeOfOneValue(name, sort.attribute, holes, entities)
  const shard = shardHole === undefined ? undefined : attributeIn(shardHole, entities)?.shard
  return {
    operation: 'Query',
    table: table.id,
    index: index?.name,
    entities: chosen(name, query, matching),
    partition: partition.partition,
    sort,
    order: query.order === 'desc' ? 'descending' : 'ascending',
    limit: query.limit,
    filter: query.filter,
    buckets,
    shards: shard && { ...shard, attribute: shardHole ?? '' },
    parameters: [
      ...[...inputs].map((input) => elementParameter(parameterOf(input, entities), query)),
      ...(sort?.kind === 'range'
        ? [{ ...parameterOf(sort.attribute, entities, 'range'), isRequired: buckets !== undefined }]
        : []),
    ],
  }
}

/** What it asks for must be an attribute of something that it finds: entities may share a partition under other names. */
function assertAskable(
  pattern: string,
  query: Query,
  { partition }: PresentKind,
  holes: readonly string[],
  matching: readonly PresentKind[],
): void {
  const entities = matching.map((kind) => kind.entity)
  const names = [...new Set(matching.map((kind) => kind.name))].join(', ')
  const unknown = holes.find((hole) => attributeIn(hole, entities) === undefined)
  if (unknown !== undefined) {
    const theirs = matching.find((kind) => textOfTemplates(kind.partition) !== textOfTemplates(partition))
    throw invalidPattern(
      pattern,
      `asks for {${unknown}}, but what it finds (${names}) has no such attribute, so nobody could call it. ` +
        `Write the key as ${matching.length === 1 ? names : 'one of these entities'} does` +
        (theirs === undefined ? '' : `: '${textOfTemplates(theirs.partition)}'`),
    )
  }
  const filter = query.filter?.find((each) => attributeIn(each, entities) === undefined)
  if (filter === undefined) return
  throw invalidPattern(pattern, `filters on ${filter}, which is not an attribute of what it finds (${names})`)
}

/** The period of the partition key, if the range is of the same date: `pk: 'D#{device}#{at:day}', range: 'at'`. */
function bucketsOf(
  pattern: string,
  { partition }: PresentKind,
  { attribute, templates, format }: Extract<SortConditionDescription, { kind: 'range' }>,
  shardHole: string | undefined,
): PatternDescription['buckets'] {
  const parts = partition.flatMap((template) => template.parts)
  const holes = parts.flatMap((part) => (part.kind === 'hole' && part.attribute === attribute ? [part.format] : []))
  const [period, ...more] = holes
  if (period?.kind !== 'date' || period.isDescending === true || more.length > 0) return undefined
  if (holesOf(templates).includes(attribute)) return undefined
  if ('isDescending' in format && format.isDescending) {
    throw invalidPattern(
      pattern,
      `reads one ${period.precision} of ${attribute} after another, but within each its sort key counts down. Use a plain {${attribute}} there, and order: 'desc'`,
    )
  }
  if (shardHole !== undefined) {
    throw invalidPattern(
      pattern,
      `takes a range of ${attribute}, whose ${period.precision} is in a partition key with a shard. Remove range, and query one ${period.precision} at a time`,
    )
  }
  return { attribute, precision: period.precision }
}

/** A caller cannot give one value and a range of the same attribute. */
function rangeOfOneValue(
  pattern: string,
  range: string,
  holes: readonly string[],
  entities: readonly EntityDescription[],
): ModelError {
  const computed = holes.find((hole) =>
    entities.some((entity) => hole !== range && sourcesOf(hole, entity).includes(range)),
  )
  if (computed !== undefined) {
    return invalidPattern(
      pattern,
      `takes a range of ${range}, but its key needs a single value, because ${computed} is computed from it. ` +
        `Remove range, or make ${computed} an ordinary attribute, so that callers pass it themselves`,
    )
  }
  return invalidPattern(
    pattern,
    `takes a range of ${range}, but also needs a single value of it. Remove range, or use another attribute for one of them`,
  )
}

/** In a key, a set or list stands for one of its elements. */
function elementParameter(parameter: ParameterDescription, { filter }: Query): ParameterDescription {
  const { value } = parameter
  const isCollection = value?.type === 'set' || value?.type === 'list'
  if (!isCollection || value.element === undefined || filter?.includes(parameter.name) === true) return parameter
  return { ...parameter, value: value.element }
}

/** Without those that only items have which are yet to move to another table. */
export function indexesInUse(
  { id, indexes }: TableDescription,
  entities: readonly EntityDescription[],
): readonly IndexDescription[] {
  return indexes.filter(({ name }) =>
    entities.some(({ table, indexKeys }) => table === id && indexKeys.some(({ index }) => index === name)),
  )
}

/** The table or index that `on` names. */
export function placeOf(
  pattern: string,
  on: string | undefined,
  { tables, entities }: ResolvedModel,
): { readonly table: TableDescription; readonly index: IndexDescription | undefined } {
  const [only] = tables
  if (on === undefined && tables.length === 1 && only !== undefined) return { table: only, index: undefined }
  for (const table of tables) {
    if (table.id === (on ?? 'main')) return { table, index: undefined }
    const index = indexesInUse(table, entities).find((each) => each.name === on)
    if (index !== undefined) return { table, index }
  }
  const places = tables.flatMap((table) => [table.id, ...table.indexes.map((index) => index.name)])
  throw noEntity(pattern, `the place '${on ?? 'main'}'`, places)
}

function kindsIn(
  { entities }: ResolvedModel,
  table: TableDescription,
  index: IndexDescription | undefined,
): readonly PresentKind[] {
  return entities.flatMap((entity): readonly PresentKind[] => {
    if (entity.table !== table.id) return []
    if (index !== undefined) {
      const key = entity.indexKeys.find((each) => each.index === index.name)
      return key === undefined ? [] : [{ name: entity.name, entity, partition: key.partition, sort: key.sort }]
    }
    return [entity, ...entity.satellites].map(({ name, key }) => ({
      name,
      entity,
      partition: [key.partition],
      sort: key.sort === undefined ? [] : [key.sort],
    }))
  })
}

function findPartition(pattern: string, { pk }: Query, present: readonly PresentKind[]): PresentKind {
  const found = present.find((kind) => isText(pk, kind.partition))
  if (found === undefined)
    throw noEntity(
      pattern,
      `the partition key '${String(pk)}'`,
      present.map((kind) => textOfTemplates(kind.partition)),
    )
  return found
}

function isText(text: KeyText, templates: readonly KeyTemplateDescription[]): boolean {
  if (typeof text === 'string') return templates.length === 1 && templates[0]?.text === text
  return text.length === templates.length && templates.every(({ attribute }, i) => attribute === text[i])
}

function sortFits(kind: PresentKind, { sk, between }: Query): boolean {
  if (between !== undefined) return mayLieBetween(kind.sort[0], between)
  if (sk === undefined) return true
  if (typeof sk !== 'string') return sk.every((attribute, i) => kind.sort[i]?.attribute === attribute)
  const shape = shapeOf(kind.sort)
  if (!sk.endsWith('*')) return shape === shapeOfParts(parseTemplate(sk))
  return shape.startsWith(shapeOfParts(prefixParts(sk)))
}

/** By its literal beginning, as far as that decides. */
function mayLieBetween(
  template: KeyTemplateDescription | undefined,
  [from, to]: readonly [string, string],
): boolean {
  const [first, ...rest] = template?.parts ?? []
  if (first?.kind !== 'literal') return true
  const head = first.text
  // With a hole after it, a key is longer than its head, and so after it.
  const isWhole = rest.length === 0
  const isBelow = compareText(head, from) < 0 && (isWhole || !from.startsWith(head))
  const isAbove = compareText(head, to) > 0 || (head === to && !isWhole)
  return !isBelow && !isAbove
}

function sortCondition(
  pattern: string,
  query: Query,
  matching: readonly PresentKind[],
): SortConditionDescription | undefined {
  const { sk, range, between } = query
  if (between !== undefined) {
    if (sk !== undefined || range !== undefined)
      throw invalidPattern(pattern, 'uses between together with sk or range. Use only one of them')
    return { kind: 'between', from: between[0], to: between[1] }
  }
  const templates = sk === undefined ? [] : sortTemplates(sk, matching)
  if (range !== undefined) {
    const next = nextHole(sk, range, matching)
    if (next === undefined) {
      throw invalidPattern(
        pattern,
        `takes a range of ${range}, but no sort key has it directly after '${String(sk ?? '')}'`,
      )
    }
    if (next.kind === 'hash' || next.kind === 'bucket') {
      throw invalidPattern(
        pattern,
        `takes a range of ${range}, but its key holds a ${next.kind}, which does not sort like the value`,
      )
    }
    return { kind: 'range', templates, attribute: range, format: next }
  }
  if (sk === undefined || templates.length === 0) return undefined
  if (typeof sk !== 'string') {
    return { kind: sk.length === matching[0]?.sort.length ? 'equals' : 'prefix', templates }
  }
  return { kind: sk.endsWith('*') ? 'prefix' : 'equals', templates }
}

function sortTemplates(sk: KeyText, matching: readonly PresentKind[]): readonly KeyTemplateDescription[] {
  const [first] = matching
  if (first === undefined) return []
  if (typeof sk !== 'string') return first.sort.slice(0, sk.length)
  const exact = matching.find((kind) => kind.sort.length === 1 && kind.sort[0]?.text === sk)
  if (exact !== undefined) return exact.sort
  const parts = sk.endsWith('*') ? prefixParts(sk) : parseTemplate(sk)
  const attribute = first.sort[0]?.attribute ?? ''
  return parts.length === 0
    ? []
    : [{ attribute, storedAs: 'S', text: sk.replace(/\*$/, ''), parts, isNative: false }]
}

function prefixParts(sk: string): readonly KeyPartDescription[] {
  const text = sk.slice(0, -1)
  return text === '' ? [] : parseTemplate(text)
}

/** The format of the hole `range` where it follows the prefix. */
function nextHole(
  sk: KeyText | undefined,
  range: string,
  matching: readonly PresentKind[],
): KeyFormatDescription | undefined {
  for (const { sort } of matching) {
    if (typeof sk !== 'string' && (sort.length > 1 || sort[0]?.isNative === true)) {
      if (sort[sk?.length ?? 0]?.attribute === range) return { kind: 'plain' }
      continue
    }
    const shape = typeof sk === 'string' ? shapeOfParts(prefixParts(sk.endsWith('*') ? sk : `${sk}*`)) : ''
    const parts = sort[0]?.parts ?? []
    const i = parts.findIndex((_, end) => shapeOfParts(parts.slice(0, end)) === shape)
    const part = parts[i]
    if (part?.kind === 'hole' && part.attribute === range) return part.format
  }
  return undefined
}

function chosen(pattern: string, { entities }: Query, matching: readonly PresentKind[]): readonly string[] {
  const names = matching.map((kind) => kind.name)
  const absent = entities?.find((entity) => !names.includes(entity))
  if (absent !== undefined) throw noEntity(pattern, `the entity ${absent}`, names)
  return entities ?? names
}

function noEntity(pattern: string, what: string, thereAre: readonly string[]): ModelError {
  const known = [...new Set(thereAre)].map((each) => `'${each}'`).join(', ')
  return new ModelError(
    'NO_ENTITY_SERVES',
    `The pattern ${pattern} asks for ${what}, but no entity has it there. Choose from: ${known || 'none'}.`,
    { pattern },
  )
}

export function invalidPattern(pattern: string, fault: string): ModelError {
  return new ModelError('INVALID_MODEL', `The pattern ${pattern} ${fault}.`, { pattern })
}
