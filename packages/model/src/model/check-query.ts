import type { EntityDescription, TableDescription } from '../description.ts'
import { ModelError } from '../errors.ts'
import { attributeIn, sourcesOf } from './parameters.ts'
import type { PatternDefinition } from './patterns.ts'
import type { ResolvedModel } from './resolve-pattern.ts'
import { nextHole, partsOf, type Place, type Query, type QueryParts } from './resolve-query.ts'
import { textOfTemplates } from './text-of-templates.ts'

/** What is wrong with a query. */
export function checkQuery(name: string, { query, options }: PatternDefinition, model: ResolvedModel): void {
  if (query === undefined) throw invalidPattern(name, 'has no query specification')
  const parts = partsOf(query, model)
  checkPlace(name, query.on, parts.place, options.consistent, model.tables)
  if (parts.partition === undefined)
    throw noEntity(
      name,
      `the partition key '${String(query.pk)}'`,
      parts.present.map((kind) => textOfTemplates(kind.partition)),
    )
  if (parts.matching.length === 0)
    throw noEntity(
      name,
      `the sort key '${String(query.sk)}'`,
      parts.under.map((kind) => textOfTemplates(kind.sort)),
    )
  checkSort(name, query, parts)
  checkAskable(name, query, parts)
  checkBuckets(name, parts)
  checkRange(name, parts)
  const names = parts.matching.map((kind) => kind.name)
  const absent = query.entities?.find((entity) => !names.includes(entity))
  if (absent !== undefined) throw noEntity(name, `the entity ${absent}`, names)
}

/** That the place that `on` names is there, and can be read as consistently as the pattern asks. */
export function checkPlace(
  pattern: string,
  on: string | undefined,
  place: Place | undefined,
  isConsistent: boolean | undefined,
  tables: readonly TableDescription[],
): void {
  if (place === undefined) {
    const places = tables.flatMap((table) => [table.id, ...table.indexes.map((index) => index.name)])
    throw noEntity(pattern, `the place '${on ?? 'main'}'`, places)
  }
  if (place.index?.kind !== 'global' || isConsistent !== true) return
  throw invalidPattern(
    pattern,
    `asks for a strongly consistent read of the global secondary index ${place.index.name}, which DynamoDB does not support. Remove consistent`,
  )
}

function checkSort(pattern: string, { sk, range, between }: Query, { matching }: QueryParts): void {
  if (between !== undefined && (sk !== undefined || range !== undefined))
    throw invalidPattern(pattern, 'uses between together with sk or range. Use only one of them')
  if (range === undefined) return
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
}

/** What it asks for must be an attribute of something that it finds: entities may share a partition under other names. */
function checkAskable(pattern: string, query: Query, { partition, holes, matching }: QueryParts): void {
  const entities = matching.map((kind) => kind.entity)
  const names = [...new Set(matching.map((kind) => kind.name))].join(', ')
  const unknown = holes.find((hole) => attributeIn(hole, entities) === undefined)
  if (unknown !== undefined) {
    const asked = textOfTemplates(partition?.partition ?? [])
    const theirs = matching.find((kind) => textOfTemplates(kind.partition) !== asked)
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

/** One period is read after another, in the order of the range. */
function checkBuckets(pattern: string, { buckets, sort, shardHole }: QueryParts): void {
  if (buckets === undefined || sort?.kind !== 'range') return
  const { attribute, precision } = buckets
  if ('isDescending' in sort.format && sort.format.isDescending) {
    throw invalidPattern(
      pattern,
      `reads one ${precision} of ${attribute} after another, but within each its sort key counts down. Use a plain {${attribute}} there, and order: 'desc'`,
    )
  }
  if (shardHole === undefined) return
  throw invalidPattern(
    pattern,
    `takes a range of ${attribute}, whose ${precision} is in a partition key with a shard. Remove range, and query one ${precision} at a time`,
  )
}

/** A caller cannot give one value and a range of the same attribute. */
function checkRange(pattern: string, { sort, inputs, holes, matching }: QueryParts): void {
  if (sort?.kind !== 'range' || !inputs.includes(sort.attribute)) return
  const range = sort.attribute
  const isComputed = (hole: string, entity: EntityDescription): boolean =>
    hole !== range && sourcesOf(hole, entity).includes(range)
  const computed = holes.find((hole) => matching.some(({ entity }) => isComputed(hole, entity)))
  throw invalidPattern(
    pattern,
    computed === undefined
      ? `takes a range of ${range}, but also needs a single value of it. Remove range, or use another attribute for one of them`
      : `takes a range of ${range}, but its key needs a single value, because ${computed} is computed from it. ` +
          `Remove range, or make ${computed} an ordinary attribute, so that callers pass it themselves`,
  )
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
