import type {
  AttributeDescription,
  EntityDescription,
  IndexDescription,
  KeyAttributeDescription,
  KeyTemplateDescription,
  ModelDescription,
  PatternDescription,
  ProjectionDescription,
  SortConditionDescription,
  TableDescription,
  ValueDescription,
} from '../description.ts'
import { collectionDiagram } from './collection-diagram.ts'
import { code, markdownTable, text } from './markdown-table.ts'

/** The model as a document: its access patterns, its item collections, its tables and entities. */
export function markdown(description: ModelDescription): string {
  const { name, description: about, owner, patterns, tables, entities } = description
  const sections = [
    `# ${text(name)}`,
    about && text(about),
    owner !== undefined && `Owner: ${text(owner)}`,
    '## Access patterns',
    patternTable(description, patterns),
    ...tables.flatMap((table) => tableSection(description, table)),
    '## Entities',
    ...entities.flatMap(entitySection),
  ]
  return `${sections.filter((section) => typeof section === 'string' && section !== '').join('\n\n')}\n`
}

function patternTable({ tables }: ModelDescription, patterns: readonly PatternDescription[]): string {
  const nameOf = (id: string): string => tables.find((table) => table.id === id)?.name ?? id
  return markdownTable(
    ['Pattern', 'Purpose', 'Request', 'On', 'Key', 'Returns or writes', 'Traffic', 'Budget', 'Owner'],
    patterns.map((pattern) => [
      code(pattern.name),
      text(pattern.description ?? ''),
      requestText(pattern),
      code(pattern.index ?? nameOf(pattern.table)),
      keyText(pattern),
      entitiesText(pattern),
      trafficText(pattern),
      budgetText(pattern),
      text(pattern.owner ?? ''),
    ]),
  )
}

function requestText({ operation, via, shards, order, limit, isConsistent, filter }: PatternDescription): string {
  return [
    operation,
    via !== undefined && `via ${code(via)}`,
    shards !== undefined && `× ${shards.count} shards`,
    order === 'descending' && 'newest or largest first',
    limit !== undefined && `limit ${limit}`,
    isConsistent && 'consistent',
    filter !== undefined && filter.length > 0 && `filtered by ${filter.map(code).join(', ')}`,
  ]
    .filter((part) => part !== false)
    .join(', ')
}

function keyText({ partition, sort, parameters }: PatternDescription): string {
  if (partition === undefined) {
    return parameters
      .filter(({ kind }) => kind === 'value')
      .map(({ name }) => code(name))
      .join(', ')
  }
  return [partition.map(({ text }) => code(text)).join(' + '), sort && sortText(sort)]
    .filter((part) => part !== undefined && part !== '')
    .join(' / ')
}

function sortText(sort: SortConditionDescription): string {
  if (sort.kind === 'between') return `${code(sort.from)} to ${code(sort.to)}`
  const prefix = joined(sort.templates)
  if (sort.kind === 'equals') return code(prefix)
  if (sort.kind === 'prefix') return code(`${prefix}*`)
  return `${prefix === '' ? '' : `${code(`${prefix}*`)}, `}range of ${code(sort.attribute)}`
}

function joined(templates: readonly KeyTemplateDescription[]): string {
  return templates.map(({ text }) => text).join(' + ')
}

function entitiesText({ entities, steps, changes }: PatternDescription): string {
  if (steps !== undefined) {
    return steps.map(({ entity, action, count }) => `${action} ${count} ${text(entity)}`).join(', ')
  }
  const names = entities.map(text).join(', ')
  return changes === undefined ? names : `${names} (${changes.map(code).join(', ')})`
}

function trafficText({ traffic }: PatternDescription): string {
  return [
    traffic.rate !== undefined && `${traffic.rate}/s`,
    traffic.peakRate !== undefined && `peak ${traffic.peakRate}/s`,
    traffic.hotKeyShare !== undefined && `busiest key ${Math.round(traffic.hotKeyShare * 100)} %`,
    traffic.items !== undefined && `${traffic.items} items`,
    traffic.itemBytes !== undefined && `${traffic.itemBytes} bytes each`,
  ]
    .filter((part) => part !== false)
    .join(', ')
}

function budgetText({ budget }: PatternDescription): string {
  return [
    budget.requests !== undefined && `${budget.requests} requests`,
    budget.readUnits !== undefined && `${budget.readUnits} RRU`,
    budget.writeUnits !== undefined && `${budget.writeUnits} WRU`,
    budget.milliseconds !== undefined && `${budget.milliseconds} ms`,
  ]
    .filter((part) => part !== false)
    .join(', ')
}

function tableSection(description: ModelDescription, table: TableDescription): readonly string[] {
  const keys = [table.partitionKey, ...(table.sortKey === undefined ? [] : [table.sortKey])]
  return [
    `## Table ${code(table.name)}`,
    text(table.description ?? ''),
    markdownTable(
      ['', ''],
      [
        ['Key', keysText(keys)],
        ['Billing', billingText(table)],
        ['Entity name in', table.discriminator === '' ? 'none: keys tell' : code(table.discriminator)],
        ...(table.ttlAttribute === undefined ? [] : [['Time to live', code(table.ttlAttribute)]]),
        ...(table.stream === undefined ? [] : [['Stream', table.stream]]),
        ...(table.pointInTimeRecovery === true ? [['Point-in-time recovery', 'on']] : []),
        ...(table.deletionProtection === true ? [['Deletion protection', 'on']] : []),
        ...(table.tableClass === undefined ? [] : [['Class', table.tableClass]]),
      ],
    ),
    table.indexes.length === 0 ? '' : indexTable(table.indexes),
    ...[undefined, ...table.indexes].flatMap((index) => {
      const diagram = collectionDiagram(description, table, index)
      const title = index === undefined ? `Item collections of ${code(table.name)}` : `In index ${code(index.name)}`
      return diagram === undefined ? [] : [`### ${title}`, `\`\`\`mermaid\n${diagram}\n\`\`\``]
    }),
  ]
}

function indexTable(indexes: readonly IndexDescription[]): string {
  return markdownTable(
    ['Index', 'Kind', 'Partition key', 'Sort key', 'Projects'],
    indexes.map(({ name, kind, partitionKeys, sortKeys, projection }) => [
      code(name),
      kind,
      keysText(partitionKeys),
      keysText(sortKeys),
      projectionText(projection),
    ]),
  )
}

function keysText(keys: readonly KeyAttributeDescription[]): string {
  return keys.map(({ name, type }) => `${code(name)} (${type})`).join(', ')
}

function projectionText(projection: ProjectionDescription): string {
  if (projection.type === 'ALL') return 'everything'
  if (projection.type === 'KEYS_ONLY') return 'keys only'
  return projection.attributes.map(code).join(', ')
}

function billingText({ billing }: TableDescription): string {
  if (billing.mode === 'on-demand') return 'on demand'
  return `provisioned, ${billing.readUnits} RCU and ${billing.writeUnits} WCU`
}

function entitySection(entity: EntityDescription): readonly string[] {
  const { key, indexKeys, satellites } = entity
  return [
    `### ${text(entity.name)}`,
    text(entity.description ?? ''),
    markdownTable(
      ['In', 'Partition key', 'Sort key', ''],
      [
        [code(entity.table), code(key.partition.text), key.sort ? code(key.sort.text) : '', 'the item itself'],
        ...indexKeys.map(({ index, partition, sort, when }) => [
          code(index),
          partition.map((template) => code(template.text)).join(' + '),
          sort.map((template) => code(template.text)).join(' + '),
          (when ?? [])
            .map(({ attribute, values }) => `when ${code(attribute)} is ${values.join(' or ')}`)
            .join(', '),
        ]),
        ...satellites.map(({ kind, key: own, name }) => [
          code(entity.table),
          code(own.partition.text),
          own.sort ? code(own.sort.text) : '',
          kind === 'unique' ? `unique constraint ${code(name)}` : `index item ${code(name)}`,
        ]),
      ],
    ),
    markdownTable(['Attribute', 'Type', ''], entity.attributes.map(attributeRow)),
  ]
}

function attributeRow(attribute: AttributeDescription): readonly string[] {
  const notes = [
    attribute.isOptional && 'optional',
    attribute.isReadOnly && 'read-only',
    !attribute.isStored && 'not stored',
    attribute.hasDefault && defaultText(attribute),
    attribute.computedFrom !== undefined && `computed from ${attribute.computedFrom.map(code).join(', ')}`,
    attribute.range !== undefined && `${attribute.range.min ?? ''} to ${attribute.range.max ?? ''}`,
    attribute.description !== undefined && text(attribute.description),
  ]
  return [code(attribute.name), typeText(attribute), notes.filter((note) => note !== false).join(', ')]
}

function defaultText({ defaultValue }: AttributeDescription): string {
  return defaultValue === undefined ? 'has a default' : `default ${code(JSON.stringify(defaultValue))}`
}

function typeText(value: ValueDescription): string {
  if (value.values !== undefined) return value.values.map(code).join(', ')
  if (value.element !== undefined) return `${value.type} of ${typeText(value.element)}`
  if (value.precision !== undefined) return `date to the ${value.precision}`
  if (value.shard !== undefined) return `shard, 1 of ${value.shard.count}`
  if (value.fields !== undefined) return `map of ${value.fields.map(({ name }) => code(name)).join(', ')}`
  return value.type
}
