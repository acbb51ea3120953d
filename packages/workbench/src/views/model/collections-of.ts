import type {
  IndexDescription,
  KeyTemplateDescription,
  ModelDescription,
  PatternDescription,
  TableDescription,
} from '@hashrange/model'

/** A table or an index, with the item collections that the model puts there. */
export interface FilledPlace {
  readonly title: string
  readonly table: TableDescription
  readonly index: IndexDescription | undefined
  readonly partitionKey: string
  readonly sortKey: string
  readonly collections: readonly Collection[]
}

/** The items under one form of partition key, in the order of their sort keys. */
export interface Collection {
  readonly partition: string
  readonly members: readonly Member[]
  /** The patterns that read it. */
  readonly patterns: readonly PatternDescription[]
}

export interface Member {
  readonly name: string
  /** The entity whose colour it has; a satellite has its owner's. */
  readonly entity: string
  readonly sort: string
  /** In the index only while these hold. */
  readonly when: string
}

/** The table and each of its indexes, as the model fills them. */
export function placesOf(model: ModelDescription): readonly FilledPlace[] {
  return model.tables.flatMap((table) => [
    placeOf(model, table, undefined),
    ...table.indexes.map((index) => placeOf(model, table, index)),
  ])
}

function placeOf(
  model: ModelDescription,
  table: TableDescription,
  index: IndexDescription | undefined,
): FilledPlace {
  const members = index === undefined ? membersOfTable(model, table) : membersOfIndex(model, table, index)
  const partitions = [...new Set(members.map(({ partition }) => partition))]
  const patterns = model.patterns.filter((pattern) => pattern.table === table.id && pattern.index === index?.name)
  return {
    title: index?.name ?? table.name,
    table,
    index,
    partitionKey: index?.partitionKeys.map(({ name }) => name).join(' + ') ?? table.partitionKey.name,
    sortKey: (index === undefined ? (table.sortKey ? [table.sortKey] : []) : index.sortKeys)
      .map(({ name }) => name)
      .join(' + '),
    collections: partitions.map((partition) => {
      const inside = members.filter((member) => member.partition === partition)
      return {
        partition,
        members: inside.toSorted((a, b) => (a.sort < b.sort ? -1 : 1)),
        patterns: patterns.filter((pattern) => reads(pattern, partition, inside)),
      }
    }),
  }
}

type Placed = Member & { readonly partition: string }

function membersOfTable(model: ModelDescription, table: TableDescription): readonly Placed[] {
  return model.entities
    .filter((entity) => entity.table === table.id)
    .flatMap(({ name, key, satellites }) => [
      { name, entity: name, partition: key.partition.text, sort: key.sort?.text ?? '', when: '' },
      ...satellites.map((satellite) => ({
        name: satellite.name,
        entity: name,
        partition: satellite.key.partition.text,
        sort: satellite.key.sort?.text ?? '',
        when: '',
      })),
    ])
}

function membersOfIndex(
  model: ModelDescription,
  table: TableDescription,
  index: IndexDescription,
): readonly Placed[] {
  return model.entities
    .filter((entity) => entity.table === table.id)
    .flatMap(({ name, indexKeys }) =>
      indexKeys
        .filter((key) => key.index === index.name)
        .map(({ partition, sort, when = [] }) => ({
          name,
          entity: name,
          partition: joined(partition),
          sort: joined(sort),
          when: when.map(({ attribute, values }) => `${attribute} is ${values.join(' or ')}`).join(', '),
        })),
    )
}

function joined(templates: readonly KeyTemplateDescription[]): string {
  return templates.map(({ text }) => text).join(' · ')
}

/** A query names its partition; other reads by key are recognised by the entities they return. */
function reads(pattern: PatternDescription, partition: string, members: readonly Placed[]): boolean {
  if (pattern.partition !== undefined) return joined(pattern.partition) === partition
  return pattern.entities.some((name) => members.some((member) => member.name === name))
}
