import type {
  EntityDescription,
  KeyDescription,
  KeyTemplateDescription,
  ModelDescription,
  PatternAction,
  PatternDescription,
  PatternOperation,
  StepDescription,
  TableDescription,
} from '../description.ts'
import { camelCase } from '../export/source-text.ts'
import { matchKey } from '../keys/match-key.ts'
import { fieldsOf, isFields, listOf, type RawPattern } from './raw-model.ts'
import { readCommand, type Command } from './read-command.ts'
import { primaryInputsOf } from '../model/parameters.ts'
import { textOfTemplates } from '../model/text-of-templates.ts'

/** The access patterns, derived from their commands. What cannot be derived is noted instead of guessed. */
export function inferPatterns(
  model: ModelDescription,
  patterns: readonly RawPattern[],
  notes: string[],
): readonly PatternDescription[] {
  const taken = new Set(model.entities.map(({ name }) => name))
  return patterns.flatMap((raw) => {
    const wanted = nameOf(raw)
    let name = wanted
    for (let n = 2; taken.has(name); n++) name = `${wanted}${n}`
    const pattern = inferPattern(model, raw, name)
    if (pattern === undefined) {
      notes.push(
        `The pattern "${raw.description ?? raw.name}" was left out: ${raw.implementation || 'it does not name a request'}`,
      )
      return []
    }
    taken.add(name)
    return [pattern]
  })
}

function nameOf({ name, description }: RawPattern): string {
  if (/^[A-Za-z_$][\w$]*$/.test(name)) return name
  const words = (description ?? '')
    .replaceAll(/\([^)]*\)/g, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
  return words.length === 0 ? camelCase(`pattern ${name}`) : camelCase(words.slice(0, 6).join(' '))
}

function inferPattern(model: ModelDescription, raw: RawPattern, name: string): PatternDescription | undefined {
  const command = readCommand(raw.implementation)
  const operation = operationOf(raw.operation ?? command.operation)
  const table =
    model.tables.find((each) => each.name === (raw.table ?? command.text('table-name'))) ?? model.tables[0]
  if (operation === undefined || table === undefined) return undefined
  const body = bodyOf(model, table, raw, operation, command)
  if (body === undefined) return undefined
  const { entities, ...rest } = body
  return {
    name,
    operation,
    table: table.id,
    entities,
    order: command.has('no-scan-index-forward') ? 'descending' : 'ascending',
    isConsistent: command.has('consistent-read'),
    parameters: [],
    traffic: {},
    budget: {},
    ...(raw.description !== undefined && { description: raw.description }),
    ...rest,
  }
}

type Body = Pick<PatternDescription, 'action' | 'entities'> & Partial<PatternDescription>

function bodyOf(
  model: ModelDescription,
  table: TableDescription,
  raw: RawPattern,
  operation: PatternOperation,
  command: Command,
): Body | undefined {
  const inTable = model.entities.filter((entity) => entity.table === table.id)
  const byKey = (item: unknown): EntityDescription | undefined => entityOf(inTable, fieldsOf(item))
  switch (operation) {
    case 'GetItem':
      return lookupOf(inTable, command) ?? one('get', byKey(command.json('key')) ?? mentioned(inTable, raw))
    case 'PutItem': {
      const isCreate = command.text('condition-expression')?.includes('attribute_not_exists') === true
      return one(isCreate ? 'create' : 'put', byKey(command.json('item')) ?? mentioned(inTable, raw))
    }
    case 'UpdateItem':
      return updateOf(byKey(command.json('key')) ?? mentioned(inTable, raw), command)
    case 'DeleteItem':
      return one('delete', byKey(command.json('key')) ?? mentioned(inTable, raw))
    case 'Query':
      return queryOf(model, table, raw, command)
    case 'Scan': {
      const index = raw.index ?? command.text('index-name')
      return { action: 'scan', entities: inTable.map(({ name }) => name), ...(index !== undefined && { index }) }
    }
    case 'BatchGetItem': {
      const keys = Object.values(fieldsOf(command.json('request-items'))).flatMap((request) =>
        listOf(fieldsOf(request)['Keys']),
      )
      return several('batchGet', keys.map(byKey))
    }
    case 'TransactGetItems': {
      const keys = listOf(command.json('transact-items')).map((each) => fieldsOf(each['Get'])['Key'])
      return several('transactGet', keys.map(byKey))
    }
    case 'TransactWriteItems':
      return transactionOf(model, command)
    default:
      return undefined
  }
}

function one(action: PatternAction, entity: EntityDescription | undefined): Body | undefined {
  return entity === undefined ? undefined : { action, entities: [entity.name] }
}

/** Whether an update concerns guards or index items depends on what it changes. */
function updateOf(entity: EntityDescription | undefined, command: Command): Body | undefined {
  const body = one('update', entity)
  if (entity === undefined || body === undefined || entity.satellites.length === 0) return body
  const primary = primaryInputsOf(entity)
  const expression = command.text('update-expression') ?? ''
  const changes = Object.entries(fieldsOf(command.json('expression-attribute-names'))).flatMap(
    ([placeholder, name]) => {
      const attribute = entity.attributes.find((each) => each.name === name)
      const isChanged = expression.split(/[^#\w]+/).includes(placeholder) && attribute?.computedFrom === undefined
      return attribute !== undefined && isChanged && !primary.includes(attribute.name) ? [attribute.name] : []
    },
  )
  return changes.length === 0 ? body : { ...body, changes }
}

function several(action: PatternAction, found: readonly (EntityDescription | undefined)[]): Body | undefined {
  const names = [...new Set(found.flatMap((entity) => entity?.name ?? []))]
  return names.length === 0 ? undefined : { action, entities: names }
}

/** A get of a guard or an index item is the way to its owner. */
function lookupOf(entities: readonly EntityDescription[], command: Command): Body | undefined {
  const key = fieldsOf(command.json('key'))
  for (const entity of entities) {
    const satellite = entity.satellites.find((each) => fits(each.key, entity, key))
    if (satellite !== undefined) return { action: 'lookup', entities: [entity.name], via: satellite.name }
  }
  return undefined
}

function transactionOf(model: ModelDescription, command: Command): Body | undefined {
  const counts = new Map<string, StepDescription>()
  for (const item of listOf(command.json('transact-items'))) {
    for (const [kind, write] of Object.entries(item)) {
      const { TableName, Item, Key, ConditionExpression } = fieldsOf(write)
      const table = model.tables.find(({ name }) => name === TableName)
      const inTable = model.entities.filter((entity) => entity.table === table?.id)
      const entity = entityOf(inTable, fieldsOf(Item ?? Key))
      if (entity === undefined) continue
      const isCreate = String(ConditionExpression).includes('attribute_not_exists')
      const action =
        kind === 'Put'
          ? isCreate
            ? 'create'
            : 'put'
          : kind === 'Update'
            ? 'update'
            : kind === 'Delete'
              ? 'delete'
              : 'check'
      const step = counts.get(`${entity.name}.${action}`)
      counts.set(`${entity.name}.${action}`, { entity: entity.name, action, count: (step?.count ?? 0) + 1 })
    }
  }
  const steps = [...counts.values()]
  return steps.length === 0
    ? undefined
    : { action: 'transact', entities: [...new Set(steps.map(({ entity }) => entity))], steps }
}

interface EntityKey {
  readonly entity: EntityDescription
  readonly partition: readonly KeyTemplateDescription[]
  readonly sort: readonly KeyTemplateDescription[]
}

function queryOf(
  model: ModelDescription,
  table: TableDescription,
  raw: RawPattern,
  command: Command,
): Body | undefined {
  const index = raw.index ?? command.text('index-name')
  const values = Object.values(fieldsOf(command.json('expression-attribute-values'))).filter(isFields)
  const places = model.entities
    .filter((entity) => entity.table === table.id)
    .flatMap((entity): readonly EntityKey[] => {
      if (index === undefined) {
        const { partition, sort } = entity.key
        return [{ entity, partition: [partition], sort: sort === undefined ? [] : [sort] }]
      }
      return entity.indexKeys
        .filter((key) => key.index === index)
        .map(({ partition, sort }) => ({ entity, partition, sort }))
    })
  const asked = places.filter(({ entity, partition }) =>
    partition.every((template) => values.some((value) => matches(template, entity, value))),
  )
  const [first] = asked.length > 0 ? asked : places
  if (first === undefined) return undefined
  const texts = values.flatMap(({ S }) => (typeof S === 'string' ? [S] : []))
  const same = places.filter(({ partition }) => textOfTemplates(partition) === textOfTemplates(first.partition))
  const prefix =
    command.text('key-condition-expression')?.includes('begins_with') === true ? sortPrefix(same, texts) : undefined
  const matching =
    prefix === undefined ? same : same.filter(({ sort }) => sort[0]?.text.startsWith(prefix) === true)
  const [sortKey] = first.sort
  const limit = Number(command.text('limit') ?? command.text('max-items'))
  return {
    action: 'query',
    ...(index !== undefined && { index }),
    entities: matching.map(({ entity }) => entity.name),
    partition: first.partition,
    ...(prefix !== undefined &&
      sortKey !== undefined && {
        sort: {
          kind: 'prefix' as const,
          templates: [
            {
              attribute: sortKey.attribute,
              storedAs: 'S' as const,
              text: prefix,
              parts: [{ kind: 'literal' as const, text: prefix }],
              isNative: false,
            },
          ],
        },
      }),
    ...(Number.isInteger(limit) && limit > 0 && { limit }),
  }
}

/** The value that is how a sort key begins. */
function sortPrefix(places: readonly EntityKey[], texts: readonly string[]): string | undefined {
  return texts.find((text) =>
    places.some(({ sort }) => {
      const [part] = sort[0]?.parts ?? []
      return part?.kind === 'literal' && part.text.startsWith(text) && text !== ''
    }),
  )
}

function entityOf(
  entities: readonly EntityDescription[],
  item: Readonly<Record<string, unknown>>,
): EntityDescription | undefined {
  return entities.find((entity) => fits(entity.key, entity, item))
}

function fits(
  { partition, sort }: KeyDescription,
  entity: EntityDescription,
  item: Readonly<Record<string, unknown>>,
): boolean {
  const templates = sort === undefined ? [partition] : [partition, sort]
  return templates.every((template) => matches(template, entity, fieldsOf(item[template.attribute])))
}

function matches(
  template: KeyTemplateDescription,
  entity: EntityDescription,
  value: Readonly<Record<string, unknown>>,
): boolean {
  const { S, N } = value
  const stored = typeof S === 'string' ? { S } : typeof N === 'string' ? { N } : undefined
  if (stored === undefined || (template.isNative && !(template.storedAs in stored))) return false
  return matchKey(template, stored, (name) => entity.attributes.find((each) => each.name === name)) !== undefined
}

/** Without a key to go by, the entity that the words speak of. */
function mentioned(
  entities: readonly EntityDescription[],
  { description, name }: RawPattern,
): EntityDescription | undefined {
  const words = `${name} ${description ?? ''}`.toLowerCase()
  const [only] = entities
  return (
    entities.find((entity) => words.includes(entity.name.toLowerCase())) ??
    (entities.length === 1 ? only : undefined)
  )
}

const operations: readonly PatternOperation[] = [
  ...([
    'GetItem',
    'Query',
    'Scan',
    'BatchGetItem',
    'TransactGetItems',
    'PutItem',
    'UpdateItem',
    'DeleteItem',
  ] as const),
  'TransactWriteItems',
]

/** `TransactWrite` and `transact-write-items` mean the same. */
function operationOf(text: string | undefined): PatternOperation | undefined {
  const flat = text?.replaceAll(/[^A-Za-z]/g, '').toLowerCase()
  if (flat === undefined || flat === '') return undefined
  return operations.find(
    (operation) => operation.toLowerCase() === flat || operation.toLowerCase() === `${flat}items`,
  )
}
