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
import type { KeyText } from '../keys/template-types.ts'
import { compareText } from '../keys/compare-stored.ts'
import { parseTemplate } from '../keys/parse-template.ts'
import { attributeIn, parameterOf, sourcesOf } from './parameters.ts'
import type { PatternDefinition } from './patterns.ts'
import type { PatternBody, ResolvedModel } from './resolve-pattern.ts'
import { holesOf, shapeOf, shapeOfParts } from './resolve-template.ts'
import { unsound } from './unsound.ts'

export type Query = NonNullable<PatternDefinition['query']>

/** A kind of item in the place that a query reads. */
export interface PresentKind {
  readonly name: string
  readonly entity: EntityDescription
  readonly partition: readonly KeyTemplateDescription[]
  readonly sort: readonly KeyTemplateDescription[]
  readonly shards?: IndexKeyDescription['shards']
}

/** What a query finds, as far as the model has it. */
export interface QueryParts {
  readonly place: Place | undefined
  readonly present: readonly PresentKind[]
  readonly partition: PresentKind | undefined
  /** Those under this partition key, and of these those that its sort key finds. */
  readonly under: readonly PresentKind[]
  readonly matching: readonly PresentKind[]
  readonly sort: SortConditionDescription | undefined
  readonly holes: readonly string[]
  readonly shardHole: string | undefined
  readonly buckets: PatternDescription['buckets']
  /** What a caller gives one value of each. */
  readonly inputs: readonly string[]
}

export function partsOf(query: Query, model: ResolvedModel): QueryParts {
  const place = placeOf(query.on, model)
  const present = place === undefined ? [] : kindsIn(model, place)
  const partition = present.find((kind) => isText(query.pk, kind.partition))
  const under = present.filter((kind) => partition && shapeOf(kind.partition) === shapeOf(partition.partition))
  const matching = under.filter((kind) => sortFits(kind, query))
  const sort = sortCondition(query, matching)
  const entities = matching.map((kind) => kind.entity)
  const holes = [
    ...holesOf(partition?.partition ?? []),
    ...(sort !== undefined && 'templates' in sort ? holesOf(sort.templates) : []),
  ]
  const shardHole = holes.find((hole) => attributeIn(hole, entities)?.shard !== undefined)
  const buckets = sort?.kind === 'range' ? bucketsOf(partition?.partition ?? [], sort) : undefined
  const inputs = new Set(
    [...holes.filter((hole) => hole !== shardHole), ...(query.filter ?? [])].flatMap((hole) =>
      entities.flatMap((entity) => (attributeIn(hole, [entity]) === undefined ? [] : sourcesOf(hole, entity))),
    ),
  )
  if (buckets !== undefined) inputs.delete(buckets.attribute)
  return { place, present, partition, under, matching, sort, holes, shardHole, buckets, inputs: [...inputs] }
}

export function resolveQuery(name: string, { query }: PatternDefinition, model: ResolvedModel): PatternBody {
  if (query === undefined) throw unsound(name)
  const { place, partition, matching, sort, shardHole, buckets, inputs } = partsOf(query, model)
  if (place === undefined || partition === undefined) throw unsound(name)
  const entities = matching.map((kind) => kind.entity)
  const shard = shardHole === undefined ? undefined : attributeIn(shardHole, entities)?.shard
  return {
    operation: 'Query',
    table: place.table.id,
    index: place.index?.name,
    entities: query.entities ?? matching.map((kind) => kind.name),
    partition: partition.partition,
    sort,
    order: query.order === 'desc' ? 'descending' : 'ascending',
    limit: query.limit,
    filter: query.filter,
    buckets,
    shards: shard && { ...shard, attribute: shardHole ?? '' },
    parameters: [
      ...inputs.map((input) => elementParameter(parameterOf(input, entities), query)),
      ...(sort?.kind === 'range'
        ? [{ ...parameterOf(sort.attribute, entities, 'range'), isRequired: buckets !== undefined }]
        : []),
    ],
  }
}

/** The period of the partition key, if the range is of the same date: `pk: 'D#{device}#{at:day}', range: 'at'`. */
function bucketsOf(
  partition: readonly KeyTemplateDescription[],
  { attribute, templates }: Extract<SortConditionDescription, { kind: 'range' }>,
): PatternDescription['buckets'] {
  const parts = partition.flatMap((template) => template.parts)
  const holes = parts.flatMap((part) => (part.kind === 'hole' && part.attribute === attribute ? [part.format] : []))
  const [period, ...more] = holes
  if (period?.kind !== 'date' || period.isDescending === true || more.length > 0) return undefined
  return holesOf(templates).includes(attribute) ? undefined : { attribute, precision: period.precision }
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

export interface Place {
  readonly table: TableDescription
  readonly index: IndexDescription | undefined
}

/** The table or index that `on` names. */
export function placeOf(on: string | undefined, { tables, entities }: ResolvedModel): Place | undefined {
  const [only] = tables
  if (on === undefined && tables.length === 1 && only !== undefined) return { table: only, index: undefined }
  for (const table of tables) {
    if (table.id === (on ?? 'main')) return { table, index: undefined }
    const index = indexesInUse(table, entities).find((each) => each.name === on)
    if (index !== undefined) return { table, index }
  }
  return undefined
}

function kindsIn({ entities }: ResolvedModel, { table, index }: Place): readonly PresentKind[] {
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

function sortCondition(query: Query, matching: readonly PresentKind[]): SortConditionDescription | undefined {
  const { sk, range, between } = query
  if (between !== undefined) return { kind: 'between', from: between[0], to: between[1] }
  const templates = sk === undefined ? [] : sortTemplates(sk, matching)
  if (range !== undefined) {
    const format = nextHole(sk, range, matching) ?? { kind: 'plain' }
    return { kind: 'range', templates, attribute: range, format }
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
export function nextHole(
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
