import type { AttributeValue, QueryCommandInput, ScanCommandInput } from '@aws-sdk/client-dynamodb'
import type {
  IndexDescription,
  KeyAttributeDescription,
  KeyTemplateDescription,
  PatternDescription,
  TableDescription,
} from '../description.ts'
import { ModelError } from '../errors.ts'
import { dateBuckets } from '../keys/date-buckets.ts'
import { keyText } from '../keys/key-text.ts'
import type { StoredValue } from '../keys/key-text.ts'
import { codecOf } from '../schema/codec.ts'
import type { CompiledAttribute, EntityRuntime, PlainItem, StoredItem } from './entity-runtime.ts'
import { comparisonText } from './conditions.ts'
import { itemPath } from './item-path.ts'
import { Comparison } from './operators.ts'
import { Placeholders } from './placeholders.ts'
import type { RangeTarget } from './sort-range.ts'
import { dateBound, rangeText, readRange } from './sort-range.ts'

/** Each is a request, if only an empty one. */
const mostBuckets = 5000

/** The requests of one call, before limit and position: one, or one for each shard. */
export interface QueryPlan {
  readonly inputs: readonly (QueryCommandInput | ScanCommandInput)[]
  /** The partition key attributes of each input, which a cursor does not hold. */
  readonly partitions: readonly StoredItem[]
  /** The periods that are read one after another, if the inputs are for these. */
  readonly buckets?: readonly string[]
}

export interface PlanOptions {
  readonly isConsistent: boolean
  readonly select?: readonly string[] | undefined
  readonly segment?: Segment | undefined
  readonly now: () => Date
}

/** What one of several requests has in its partition key, and the others have not. */
interface Fixed {
  readonly shard: number
  readonly bucket: string
}

/** A part of a table that one of several readers scans. */
export interface Segment {
  /** From 0. */
  readonly index: number
  readonly of: number
}

/** Turns the parameters of a query pattern into requests. Made once for each pattern. */
export class QueryPlanner {
  /** Key attributes whose values make a position, beyond the partition. */
  readonly positionAttributes: readonly KeyAttributeDescription[]
  readonly sortAttributes: readonly KeyAttributeDescription[]
  readonly #pattern: PatternDescription
  readonly #entities: readonly EntityRuntime[]
  readonly #table: TableDescription
  readonly #tableName: string
  readonly #keyNames: readonly string[]
  readonly #storedNames: ReadonlyMap<string, string>
  readonly #range: RangeTarget | undefined

  constructor(
    pattern: PatternDescription,
    table: TableDescription,
    tableName: string,
    index: IndexDescription | undefined,
    entities: readonly EntityRuntime[],
  ) {
    this.#pattern = pattern
    this.#entities = entities
    this.#table = table
    // What two entities call the same may be called differently on disk. Those that the pattern returns come first, and count.
    this.#storedNames = new Map(
      entities
        .toReversed()
        .flatMap(({ attributes }) => attributes.map(({ name, described }) => [name, described.storedName ?? name])),
    )
    this.#tableName = tableName
    const tableKeys = [table.partitionKey, ...(table.sortKey === undefined ? [] : [table.sortKey])]
    this.sortAttributes = index?.sortKeys ?? tableKeys.slice(1)
    this.#keyNames = [...tableKeys, ...(index?.partitionKeys ?? []), ...(index?.sortKeys ?? [])].map(
      ({ name }) => name,
    )
    const partitionNames = new Set(pattern.partition?.map(({ attribute }) => attribute))
    const all = [...(index?.partitionKeys ?? []), ...(index?.sortKeys ?? []), ...tableKeys]
    this.positionAttributes = all.filter(
      ({ name }, i) => !partitionNames.has(name) && all.findIndex((other) => other.name === name) === i,
    )
    this.#range = this.#rangeTarget()
  }

  plan(parameters: PlainItem, { isConsistent, select, segment, now }: PlanOptions): QueryPlan {
    const pattern = this.#pattern
    this.#assertKnown(parameters)
    const base = {
      TableName: this.#tableName,
      ...(pattern.index !== undefined && { IndexName: pattern.index }),
      ...(isConsistent && { ConsistentRead: true }),
      ...(segment !== undefined && { Segment: segment.index, TotalSegments: segment.of }),
    }
    if (pattern.action === 'scan') {
      const placeholders = new Placeholders(this.#storedNames)
      const projection = this.#projection(select, placeholders)
      return { inputs: [{ ...base, ...projection, ...placeholders.members() }], partitions: [{}] }
    }
    const valueOf = this.#valuesOf(parameters)
    const inputs: QueryCommandInput[] = []
    const partitions: StoredItem[] = []
    const buckets = pattern.buckets === undefined ? undefined : this.#bucketsOf(parameters, now)
    const parts: readonly Partial<Fixed>[] = buckets?.map((bucket) => ({ bucket })) ?? this.#shardsOf(parameters)
    for (const part of parts) {
      const placeholders = new Placeholders(this.#storedNames)
      const partition = this.#partitionOf(valueOf, part)
      const terms = Object.entries(partition).map(
        ([name, value]) => `${placeholders.field(name)} = ${placeholders.value(value, name)}`,
      )
      terms.push(...this.#sortTerms(valueOf, parameters, placeholders))
      const filters = (pattern.filter ?? []).map((name) => {
        const given = parameters[name]
        if (given instanceof Comparison) {
          return comparisonText(itemPath(this.#attribute(name), name), given, placeholders)
        }
        return placeholders.equals(name, this.#require(name, valueOf))
      })
      const projection = this.#projection(select, placeholders)
      partitions.push(partition)
      inputs.push({
        ...base,
        KeyConditionExpression: terms.join(' AND '),
        ...(filters.length > 0 && { FilterExpression: filters.join(' AND ') }),
        ...projection,
        ...placeholders.members(),
        ...(pattern.order === 'descending' && { ScanIndexForward: false }),
      })
    }
    return { inputs, partitions, ...(buckets !== undefined && { buckets }) }
  }

  /** What is selected, with what tells the kind of an item and where reading has come. */
  #projection(
    select: readonly string[] | undefined,
    placeholders: Placeholders,
  ): { readonly ProjectionExpression?: string } {
    if (select === undefined) return {}
    const { discriminator, discriminatorBefore = '' } = this.#table
    const keys = [...(this.#pattern.partition ?? []).map(({ attribute }) => attribute), ...this.#keyNames]
    // Whichever entity an item turns out to be, its own name of the attribute must be among them.
    const wanted = select.flatMap((name) => {
      const owners = this.#entities.filter(({ byName }) => byName.has(name))
      if (owners.length === 0) throw this.#missing(name)
      return owners.flatMap((owner) => owner.namesOnDisk(name))
    })
    const names = new Set([...keys, discriminator, discriminatorBefore, ...wanted].filter((name) => name !== ''))
    return { ProjectionExpression: [...names].map((name) => placeholders.field(name)).join(', ') }
  }

  #assertKnown(parameters: PlainItem): void {
    const { parameters: known, shards } = this.#pattern
    for (const name of Object.keys(parameters)) {
      if (name === shards?.attribute || known.some((parameter) => parameter.name === name)) continue
      throw new ModelError(
        'INVALID_VALUE',
        `The pattern ${this.#pattern.name} has no parameter ${name}. Its parameters are: ${known.map((each) => each.name).join(', ') || 'none'}.`,
        { pattern: this.#pattern.name },
      )
    }
  }

  #shardsOf(parameters: PlainItem): readonly Partial<Fixed>[] {
    const { shards } = this.#pattern
    if (shards === undefined) return [{}]
    const one = parameters[shards.attribute]
    if (typeof one === 'number') return [{ shard: one }]
    return Array.from({ length: shards.count }, (_, shard) => ({ shard }))
  }

  /** The periods that a range covers, in the order of the pattern. */
  #bucketsOf(parameters: PlainItem, now: () => Date): readonly string[] {
    const { buckets, name, order } = this.#pattern
    if (buckets === undefined || this.#range === undefined) return []
    const { attribute, precision } = buckets
    const { from, after, to, before } = readRange(this.#range, parameters[attribute])
    const textOf = (value: unknown): string =>
      dateBound(this.#range?.attribute.name ?? '', value, this.#range?.attribute.described.precision)
    if (from === undefined && after === undefined) {
      throw new ModelError(
        'MISSING_VALUE',
        `The pattern ${name} reads one ${precision} after another, so the range of ${attribute} needs a beginning. Pass from or after.`,
        { pattern: name, attribute },
      )
    }
    const found = dateBuckets(
      { text: textOf(from ?? after), isExcluded: from === undefined },
      { text: textOf(to ?? before ?? now()), isExcluded: before !== undefined },
      precision,
      mostBuckets,
    )
    if (found !== undefined) return order === 'descending' ? found.toReversed() : found
    throw new ModelError(
      'INVALID_VALUE',
      `The range of ${attribute} covers more than ${mostBuckets} periods of one ${precision}, each of which is a request. Make it shorter.`,
      { pattern: name, attribute },
    )
  }

  #partitionOf(valueOf: StoredValue, { shard, bucket }: Partial<Fixed>): StoredItem {
    const { partition = [], shards, buckets } = this.#pattern
    const sharded: StoredValue = (name) => {
      if (shard !== undefined && name === shards?.attribute) return { N: String(shard) }
      return bucket !== undefined && name === buckets?.attribute ? { S: bucket } : valueOf(name)
    }
    const key: StoredItem = {}
    for (const template of partition) key[template.attribute] = this.#fill(template, sharded)
    return key
  }

  #sortTerms(valueOf: StoredValue, parameters: PlainItem, placeholders: Placeholders): readonly string[] {
    const { sort } = this.#pattern
    if (sort === undefined) return []
    if (sort.kind === 'between') {
      const attribute = this.sortAttributes[0]?.name ?? ''
      const [from, to] = [sort.from, sort.to].map((bound) => placeholders.value({ S: bound }, attribute))
      return [`${placeholders.field(attribute)} BETWEEN ${from} AND ${to}`]
    }
    const terms: string[] = []
    let prefix = ''
    for (const template of sort.templates) {
      const value = this.#fill(template, valueOf)
      const name = placeholders.field(template.attribute)
      if (sort.kind === 'range' && !template.isNative) prefix = value.S ?? ''
      else if (sort.kind === 'prefix' && !template.isNative)
        terms.push(`begins_with(${name}, ${placeholders.value(value, template.attribute)})`)
      else terms.push(`${name} = ${placeholders.value(value, template.attribute)}`)
    }
    if (this.#range !== undefined) {
      const text = rangeText({ ...this.#range, prefix }, parameters[this.#range.attribute.name], placeholders)
      if (text !== undefined) terms.push(text)
    }
    return terms
  }

  #fill(template: KeyTemplateDescription, valueOf: StoredValue): AttributeValue {
    if (template.isNative) return this.#require(template.attribute, valueOf)
    const text = keyText(template.parts, valueOf)
    if (text !== undefined) return { S: text }
    const hole = template.parts.find((part) => part.kind === 'hole' && valueOf(part.attribute) === undefined)
    throw this.#missing(hole?.kind === 'hole' ? hole.attribute : template.text)
  }

  #require(name: string, valueOf: StoredValue): AttributeValue {
    const value = valueOf(name)
    if (value === undefined) throw this.#missing(name)
    return value
  }

  #missing(name: string): ModelError {
    return new ModelError('MISSING_VALUE', `The pattern ${this.#pattern.name} needs ${name}.`, {
      pattern: this.#pattern.name,
      attribute: name,
    })
  }

  /** The parameters, encoded by the first entity that has such an attribute; computed ones follow from their sources. */
  #valuesOf(parameters: PlainItem): StoredValue {
    const encoded: StoredItem = {}
    for (const { name, kind } of this.#pattern.parameters) {
      if (kind !== 'value') continue
      const value = parameters[name]
      if (value === undefined || (value instanceof Comparison && this.#pattern.filter?.includes(name) === true))
        continue
      encoded[name] = this.#encode(name, value)
    }
    return (name) => (Object.hasOwn(encoded, name) ? encoded[name] : this.#attribute(name).valuesIn(encoded)(name))
  }

  /** Of a set or list, whose elements have index items, one element is given. */
  #encode(name: string, value: unknown): AttributeValue {
    const entity = this.#attribute(name)
    const { definition } = entity.attribute(name)
    const isElement =
      (definition.type === 'set' || definition.type === 'list') && !this.#pattern.filter?.includes(name)
    const stored = isElement && definition.element ? codecOf(definition.element).encode(value, name) : undefined
    return stored ?? entity.encode(name, value)
  }

  #attribute(name: string): EntityRuntime {
    const entity = this.#entities.find((each) => each.byName.has(name))
    if (entity === undefined) throw this.#missing(name)
    return entity
  }

  #rangeTarget(): RangeTarget | undefined {
    const { sort } = this.#pattern
    if (sort?.kind !== 'range') return undefined
    const entity = this.#attribute(sort.attribute)
    const attribute: CompiledAttribute = entity.attribute(sort.attribute)
    const native = this.sortAttributes.find(({ name }) => name === sort.attribute)
    return {
      key: native?.name ?? this.sortAttributes[0]?.name ?? '',
      prefix: '',
      isNative: native !== undefined,
      attribute,
      format: sort.format,
      following: this.#literalAfter(sort.attribute),
    }
  }

  #literalAfter(attribute: string): string | undefined {
    for (const { described } of this.#entities) {
      const key = described.indexKeys.find(({ index }) => index === this.#pattern.index)
      const template = key === undefined ? described.key.sort : key.sort[0]
      const i = template?.parts.findIndex((part) => part.kind === 'hole' && part.attribute === attribute) ?? -1
      const next = i === -1 ? undefined : template?.parts[i + 1]
      if (next?.kind === 'literal') return next.text
    }
    return undefined
  }
}
