import type {
  AttributeDescription,
  EntityDescription,
  ModelDescription,
  PatternDescription,
} from '../description.ts'
import { ModelError } from '../errors.ts'
import { primaryInputsOf, sourcesOf } from '../model/parameters.ts'
import { holesOf } from '../model/resolve-template.ts'
import type { AmountDerivation, CopyDerivation, Derivation, RankingDerivation } from './derivation.ts'

/** Throws if the derivations cannot be kept: it says which one, why and what to do. */
export function checkDerivations(
  model: ModelDescription,
  derivations: ReadonlyMap<string, Derivation>,
  marks: string | undefined,
): void {
  for (const [name, derivation] of derivations) {
    const check = new Check(model, name)
    const source = check.entity(derivation.source)
    const target = check.entity(derivation.target)
    check.stream(source)
    if (marks !== undefined && [source.name, target.name].includes(marks))
      throw check.invalid(`${marks}, an entity of marks, can be neither a source nor a target. Use another entity`)
    if (derivation.kind === 'copy') check.copy(derivation, source, target)
    else {
      if (target === source)
        throw check.invalid(`${target.name} would be derived from itself. Derive another entity`)
      check.target(target)
      if (derivation.kind === 'amount') check.amount(derivation, source, target)
      if (derivation.kind === 'ranking') check.ranking(derivation, source, target)
      if (derivation.kind !== 'ranking') check.marks(marks)
    }
  }
}

class Check {
  readonly #model: ModelDescription
  readonly #name: string

  constructor(model: ModelDescription, name: string) {
    this.#model = model
    this.#name = name
  }

  entity(name: string): EntityDescription {
    const found = this.#model.entities.find((entity) => entity.name === name)
    if (found !== undefined) return found
    throw this.invalid(`${name} is not an entity of the model ${this.#model.name}. Add it to its entities`)
  }

  stream(source: EntityDescription): void {
    const table = this.#model.tables.find(({ id }) => id === source.table)
    if (table?.stream === 'NEW_AND_OLD_IMAGES') return
    throw this.invalid(
      table?.stream === undefined
        ? `The table ${source.table} has no stream. Set stream: 'NEW_AND_OLD_IMAGES' in the model, so that generated infrastructure has one`
        : `The stream of the table ${table.id} shows ${table.stream}. Derived items also need the old image of each change: set stream: 'NEW_AND_OLD_IMAGES'`,
    )
  }

  marks(marks: string | undefined): void {
    if (marks === undefined) {
      throw this.invalid(
        'Counters, sums and entries need marks, so that no change counts twice. Add an entity made by marks() to the model, and pass it to derive({ marks })',
      )
    }
    const names = new Set(this.entity(marks).attributes.map(({ name }) => name))
    if (!['source', 'position', 'epoch', 'contributions'].every((name) => names.has(name)))
      throw this.invalid(`${marks} is not an entity of marks. Make it with marks('${marks}')`)
  }

  target(target: EntityDescription): void {
    if (target.satellites.length > 0)
      throw this.invalid(
        `${target.name} has unique constraints or index items, which derived items cannot have. Remove them`,
      )
    if (target.key.partition.storedAs === 'B' || target.key.sort?.storedAs === 'B')
      throw this.invalid(`The key of ${target.name} is binary. Use a string or a number`)
  }

  amount({ attribute, set, by }: AmountDerivation, source: EntityDescription, target: EntityDescription): void {
    if (attribute !== undefined) this.#number(source, attribute)
    const kept = this.#number(target, set)
    if (!kept.isOptional && kept.defaultValue !== 0)
      throw this.invalid(`${target.name}.${set} starts without a value. Declare it with .default(0)`)
    this.#notInKeys(target, set)
    this.#group(by, source, target)
    const given = new Set([...primaryInputsOf(target), ...(typeof by === 'function' ? [] : namesIn(by))])
    const lacking = target.attributes.find(
      ({ name, isOptional, hasDefault, isStored, computedFrom }) =>
        isStored && !isOptional && !hasDefault && computedFrom === undefined && !given.has(name),
    )
    if (lacking !== undefined)
      throw this.invalid(
        `Nothing gives ${target.name}.${lacking.name} a value. Make it optional, or give it a default`,
      )
  }

  ranking(derivation: RankingDerivation, source: EntityDescription, target: EntityDescription): void {
    const { via, set, n, by } = derivation
    const kept = this.#attribute(target, set)
    this.#notInKeys(target, set)
    this.#group(by, source, target)
    if (!Number.isInteger(n) || n < 1 || n > 1000) throw this.invalid(`A list has from 1 to 1000 items, not ${n}`)
    if (derivation.each !== undefined && !['L', 'ANY'].includes(kept.storedAs))
      throw this.invalid(`${target.name}.${set} is not a list. Declare it with s.list()`)
    if (!kept.isOptional && !kept.hasDefault)
      throw this.invalid(`${target.name}.${set} is missing as long as nothing is ranked. Make it optional`)
    const pattern = this.#query(via, source)
    const index = this.#indexOf(pattern)
    if (index?.kind === 'global') {
      throw this.invalid(
        `The pattern ${via} reads the global index ${index.name}, which may not contain the newest changes yet, so that a change could be missed for ever. Use a pattern on the table or on a local index, or derive entries that sort by the value and query them`,
      )
    }
    if (pattern.shards !== undefined)
      throw this.invalid(`The pattern ${via} reads several shards. Use a pattern that reads one partition`)
    if (derivation.attribute !== undefined) this.#sortedBy(derivation, derivation.attribute, pattern, source)
  }

  copy({ via, attributes }: CopyDerivation, source: EntityDescription, target: EntityDescription): void {
    for (const [from, to] of Object.entries(attributes)) {
      this.#attribute(source, from)
      this.#attribute(target, to)
      this.#notInKeys(target, to)
      const computed = target.attributes.find(({ computedFrom }) => computedFrom?.includes(to) === true)
      const inSatellite = target.satellites.some(
        ({ attributes: of, include }) => of.includes(to) || include.includes(to),
      )
      if (computed !== undefined || inSatellite)
        throw this.invalid(
          `Other items or attributes are made from ${target.name}.${to}, so it cannot be changed alone. Copy into another attribute`,
        )
    }
    const lacking = primaryInputsOf(source).find((name) => !target.attributes.some((each) => each.name === name))
    if (lacking !== undefined)
      throw this.invalid(
        `${target.name} has no attribute ${lacking}, so that it does not say which ${source.name} it belongs to. Add it`,
      )
    const pattern = this.#query(via, target)
    const unknown = pattern.parameters.find(
      ({ name, isRequired }) => isRequired && !source.attributes.some((each) => each.name === name),
    )
    if (unknown !== undefined)
      throw this.invalid(`The pattern ${via} needs ${unknown.name}, which ${source.name} does not have`)
  }

  invalid(fault: string): ModelError {
    return new ModelError('INVALID_MODEL', `The derivation ${this.#name}: ${fault}.`)
  }

  #attribute(entity: EntityDescription, name: string): AttributeDescription {
    const found = entity.attributes.find((each) => each.name === name)
    if (found !== undefined) return found
    throw this.invalid(
      `${entity.name} has no attribute ${name}. Its attributes are ${entity.attributes.map((each) => each.name).join(', ')}`,
    )
  }

  #number(entity: EntityDescription, name: string): AttributeDescription {
    const attribute = this.#attribute(entity, name)
    if (attribute.storedAs === 'N' && attribute.isStored) return attribute
    throw this.invalid(
      `${entity.name}.${name} is not a number. Use an attribute of type s.int(), s.number() or s.decimal()`,
    )
  }

  #group(by: AmountDerivation['by'], source: EntityDescription, target: EntityDescription): void {
    if (typeof by === 'function') return
    const names = namesIn(by)
    for (const name of names) this.#attribute(source, name)
    const shards = new Set(target.attributes.filter(({ shard }) => shard !== undefined).map(({ name }) => name))
    const missing = primaryInputsOf(target).find((name) => !names.includes(name) && !shards.has(name))
    if (missing === undefined) return
    throw this.invalid(`The key of ${target.name} also needs ${missing}. Add it to by, or use a function`)
  }

  /** The text of a composed key would have to change with the value, which is not known when the value is added to. */
  #notInKeys(target: EntityDescription, name: string): void {
    const templates = [
      target.key.partition,
      ...(target.key.sort === undefined ? [] : [target.key.sort]),
      ...target.indexKeys.flatMap((key) => [...key.partition, ...key.sort].filter(({ isNative }) => !isNative)),
    ]
    const isUsed =
      holesOf(templates).some((hole) => sourcesOf(hole, target).includes(name)) ||
      target.indexKeys.some(({ when = [] }) => when.some(({ attribute }) => attribute === name))
    if (!isUsed) return
    throw this.invalid(
      `${target.name}.${name} is part of a composed key. Make it a native key of the index instead: sk: ['${name}']`,
    )
  }

  #query(via: string, entity: EntityDescription): PatternDescription {
    const pattern = this.#model.patterns.find(({ name }) => name === via)
    if (pattern?.action === 'query' && pattern.entities.includes(entity.name) && pattern.filter === undefined)
      return pattern
    throw this.invalid(
      `${via} is not a query pattern that returns ${entity.name} items, without a filter. Name one in via`,
    )
  }

  #indexOf({ index: name, table }: PatternDescription): { name: string; kind: string } | undefined {
    const found = this.#model.tables.find(({ id }) => id === table)
    return found?.indexes.find((index) => index.name === name)
  }

  #sortedBy(
    { isLargest, via }: RankingDerivation,
    attribute: string,
    pattern: PatternDescription,
    source: EntityDescription,
  ): void {
    const key = source.indexKeys.find(({ index }) => index === pattern.index)
    const templates = pattern.index === undefined ? [source.key.sort] : (key?.sort ?? [])
    const hole = templates[0]?.parts.find((part) => part.kind === 'hole')
    const format = hole?.kind === 'hole' ? hole.format : undefined
    const isReversed = (format?.kind === 'padded' || format?.kind === 'date') && format.isDescending === true
    const isDescending = (pattern.order === 'descending') !== isReversed
    if (hole?.kind === 'hole' && hole.attribute === attribute && isDescending === isLargest) return
    throw this.invalid(
      `The pattern ${via} does not return the ${isLargest === true ? 'largest' : 'smallest'} ${attribute} first. Use a pattern whose sort key begins with {${attribute}}, with order: '${isLargest === isReversed ? 'asc' : 'desc'}'`,
    )
  }
}

function namesIn(by: string | readonly string[]): readonly string[] {
  return typeof by === 'string' ? [by] : by
}
