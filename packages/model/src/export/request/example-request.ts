import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import type {
  EntityDescription,
  ModelDescription,
  PatternDescription,
  StepDescription,
  TableDescription,
} from '../../description.ts'
import { unreachable } from '../../errors.ts'
import type { SampleItem } from '../sample/sample-data.ts'
import type { Json } from '../yaml.ts'
import { dynamoDbJson } from '../sample/dynamodb-json.ts'
import { Placeholders } from './placeholders.ts'
import { queryInput } from './query-input.ts'

/** A request of DynamoDB's API, in its JSON. */
export interface ExampleRequest {
  readonly operation: string
  readonly input: { readonly [name: string]: Json }
}

type Item = Readonly<Record<string, AttributeValue>>

/** One call of a pattern, with values of the sample data; undefined if the samples have no item for it. Of a lookup it is the
 *  first request, of a sharded query the one for one shard. */
export function exampleRequest(
  description: ModelDescription,
  pattern: PatternDescription,
  samples: readonly SampleItem[],
): ExampleRequest | undefined {
  const table = description.tables.find(({ id }) => id === pattern.table)
  if (table === undefined) return undefined
  switch (pattern.operation) {
    case 'Query':
      return read('Query', queryInput(description, table, pattern, samples))
    case 'Scan':
      return {
        operation: 'Scan',
        input: {
          TableName: table.name,
          ...(pattern.index !== undefined && { IndexName: pattern.index }),
          ...(pattern.limit !== undefined && { Limit: pattern.limit }),
        },
      }
    case 'GetItem': {
      const item = sampleOf(pattern.via ?? pattern.entities[0], samples)
      const consistent = pattern.isConsistent ? { ConsistentRead: true } : {}
      return read('GetItem', item && { TableName: table.name, Key: keyOf(table, item), ...consistent })
    }
    case 'BatchGetItem':
    case 'TransactGetItems':
      return keysRequest(description, pattern, samples)
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
    case 'TransactWriteItems':
      return writeRequest(description, pattern, samples)
    default:
      return unreachable(pattern.operation)
  }
}

function read(operation: string, input: ExampleRequest['input'] | undefined): ExampleRequest | undefined {
  return input === undefined ? undefined : { operation, input }
}

function keysRequest(
  description: ModelDescription,
  pattern: PatternDescription,
  samples: readonly SampleItem[],
): ExampleRequest | undefined {
  const keys = pattern.entities.flatMap((entity) => {
    const table = tableOf(description, entity)
    const item = sampleOf(entity, samples)
    return table === undefined || item === undefined ? [] : [{ table: table.name, Key: keyOf(table, item) }]
  })
  if (keys.length === 0) return undefined
  if (pattern.operation === 'TransactGetItems') {
    const TransactItems = keys.map(({ table, Key }) => ({ Get: { TableName: table, Key } }))
    return { operation: 'TransactGetItems', input: { TransactItems } }
  }
  const RequestItems: Readonly<Record<string, Json>> = Object.fromEntries(
    keys.map(({ table }) => [table, { Keys: keys.filter((key) => key.table === table).map(({ Key }) => Key) }]),
  )
  return { operation: 'BatchGetItem', input: { RequestItems } }
}

function writeRequest(
  description: ModelDescription,
  pattern: PatternDescription,
  samples: readonly SampleItem[],
): ExampleRequest | undefined {
  const steps = pattern.steps ?? [onlyStep(pattern)]
  const writes = steps.flatMap((step) => stepWrites(description, step, pattern.changes, samples))
  const [only] = writes
  if (only === undefined) return undefined
  if (pattern.operation !== 'TransactWriteItems') return { operation: `${only.action}Item`, input: only.input }
  return {
    operation: 'TransactWriteItems',
    input: { TransactItems: writes.map(({ action, input }) => ({ [action]: input })) },
  }
}

function onlyStep({ entities, action }: PatternDescription): StepDescription {
  const writes = ['create', 'put', 'update', 'modify', 'upsert', 'delete'] as const
  return { entity: entities[0] ?? '', action: writes.find((write) => write === action) ?? 'put', count: 1 }
}

interface Write {
  readonly action: 'Put' | 'Update' | 'Delete' | 'ConditionCheck'
  readonly input: ExampleRequest['input']
}

function stepWrites(
  description: ModelDescription,
  { entity: name, action, count }: StepDescription,
  changes: readonly string[] | undefined,
  samples: readonly SampleItem[],
): readonly Write[] {
  const entity = description.entities.find((each) => each.name === name)
  const table = tableOf(description, name)
  if (entity === undefined || table === undefined) return []
  const isWhole = action === 'create' || action === 'put' || action === 'delete'
  const kinds = isWhole ? [name, ...entity.satellites.map((satellite) => satellite.name)] : [name]
  return kinds.flatMap((kind) =>
    samples
      .filter((sample) => sample.kind === kind)
      .slice(0, count)
      .map(({ item }) => write(table, entity, action, changes, item)),
  )
}

function write(
  table: TableDescription,
  entity: EntityDescription,
  action: StepDescription['action'],
  changes: readonly string[] | undefined,
  item: Item,
): Write {
  const TableName = table.name
  const names = { '#pk': table.partitionKey.name }
  switch (action) {
    case 'create': {
      const condition = { ConditionExpression: 'attribute_not_exists(#pk)', ExpressionAttributeNames: names }
      return { action: 'Put', input: { TableName, Item: dynamoDbJson(item), ...condition } }
    }
    case 'put':
      return { action: 'Put', input: { TableName, Item: dynamoDbJson(item) } }
    case 'delete':
      return { action: 'Delete', input: { TableName, Key: keyOf(table, item) } }
    case 'update':
    case 'modify':
    case 'upsert':
      return { action: 'Update', input: updateInput(table, entity, changes, item) }
    case 'get':
    case 'check': {
      const condition = { ConditionExpression: 'attribute_exists(#pk)', ExpressionAttributeNames: names }
      return { action: 'ConditionCheck', input: { TableName, Key: keyOf(table, item), ...condition } }
    }
    default:
      return unreachable(action)
  }
}

function updateInput(
  table: TableDescription,
  entity: EntityDescription,
  changes: readonly string[] | undefined,
  item: Item,
): ExampleRequest['input'] {
  const keys = new Set([table.partitionKey.name, table.sortKey?.name])
  const changeable = entity.attributes.filter(
    ({ name, isReadOnly, isStored }) => !isReadOnly && isStored && !keys.has(name) && item[name] !== undefined,
  )
  const names = changes ?? changeable.slice(-1).map(({ name }) => name)
  const placeholders = new Placeholders()
  const assignments = names.flatMap((name) => {
    const value = item[name]
    return value === undefined ? [] : [`${placeholders.name(name)} = ${placeholders.value(name, value)}`]
  })
  return {
    TableName: table.name,
    Key: keyOf(table, item),
    ...(assignments.length > 0 && { UpdateExpression: `SET ${assignments.join(', ')}`, ...placeholders.fields() }),
  }
}

function keyOf(table: TableDescription, item: Item): { readonly [name: string]: Json } {
  const names = [table.partitionKey.name, ...(table.sortKey === undefined ? [] : [table.sortKey.name])]
  const all = dynamoDbJson(item)
  return Object.fromEntries(names.map((name) => [name, all[name]]))
}

function sampleOf(kind: string | undefined, samples: readonly SampleItem[]): Item | undefined {
  return samples.find((sample) => sample.kind === kind)?.item
}

function tableOf({ tables, entities }: ModelDescription, entity: string): TableDescription | undefined {
  const id = entities.find(({ name }) => name === entity)?.table
  return tables.find((table) => table.id === id)
}
