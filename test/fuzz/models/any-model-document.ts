import type { Randomness } from '../../support/randomness.ts'
import { anyValue, hostileTexts } from '../hostile-values.ts'

/** Names that would break out of the source that is made of them, or mean something in it. */
export const hostileNames: readonly string[] = [
  ...hostileTexts.filter((text) => text.length < 300),
  "'); globalThis.pwned = true; ('",
  '`${globalThis.pwned = true}`',
  '*/ globalThis.pwned = true /*',
  'a\nglobalThis.pwned = true\n//',
  'a\u2028globalThis.pwned = true',
  "\\'",
  '\\',
  '{a}',
  '{a',
  'a}',
  '{}',
  '{{a}}',
  '#{a}#',
  'a*',
  'ORDER#{id}#{id}',
  'class',
  'for',
  'await',
  'let',
  'eval',
  'arguments',
  'model',
  'Entity',
  's',
  'entity',
  'main',
  '1a',
  'ä',
  '日本',
  '🙂',
  'a b',
  'a.b',
  'PK',
  'pk',
]

const plainNames = ['PK', 'SK', 'GSI1PK', 'GSI1SK', 'id', 'email', 'type', 'orderId', 'total', 'expiresAt', 'tags']
const words = [
  'CUSTOMER#1',
  'CUSTOMER#2',
  'ORDER#2026-01-01#7',
  'META',
  'a@b.c',
  '2026-01-02T03:04:05.000Z',
  'x',
  '',
]
const types = ['S', 'N', 'B', 'BOOL', 'SS', 'NS', 'L', 'M', 'NULL']

let hostility = 0.5

/** A document of NoSQL Workbench or of AWS's modelling tool: mostly of the right form, with names and values that are not. */
export function anyModelDocument(random: Randomness): unknown {
  // Where every name is strange, the first one is refused, and the others are never looked at.
  hostility = random.oneOf([0.02, 0.1, 0.5])
  const document = random.chance(0.6) ? anyNoSqlWorkbench(random) : anyDataModel(random)
  return random.chance(0.3) ? damaged(document, random) : document
}

function anyNoSqlWorkbench(random: Randomness): unknown {
  return {
    ModelName: anyName(random),
    ModelMetadata: { Author: anyName(random), Description: anyName(random), Version: '3.0' },
    DataModel: several(random, 1, 3, () => workbenchTable(random)),
  }
}

/** An attribute of a table, of the type that its values mostly have. */
interface Column {
  readonly name: string
  readonly type: string
}

function anyColumns(random: Randomness): readonly Column[] {
  const keys = ['S', random.oneOf(['S', 'N'])].map((type) => ({ name: anyName(random), type }))
  return [...keys, ...several(random, 1, 5, () => ({ name: anyName(random), type: random.oneOf(types) }))]
}

/** Attributes that can be keys. */
function keysAmong(columns: readonly Column[]): readonly Column[] {
  return columns.filter(({ type }) => type === 'S' || type === 'N')
}

function workbenchTable(random: Randomness): unknown {
  const columns = anyColumns(random)
  const [partition, sort] = columns
  const attribute = (column: Column | undefined): unknown => ({
    AttributeName: column?.name,
    AttributeType: column?.type,
  })
  const indexKeys = (): unknown => ({
    PartitionKey: attribute(random.oneOf(keysAmong(columns))),
    ...(random.chance(0.7) && { SortKey: attribute(random.oneOf(keysAmong(columns))) }),
  })
  return {
    TableName: anyName(random),
    KeyAttributes: {
      PartitionKey: attribute(partition),
      ...(random.chance(0.8) && { SortKey: attribute(sort) }),
    },
    NonKeyAttributes: columns.slice(2).map(attribute),
    GlobalSecondaryIndexes: several(random, 0, 3, () => index(random, indexKeys())),
    ...(random.chance(0.3) && { LocalSecondaryIndexes: several(random, 1, 2, () => index(random, indexKeys())) }),
    TableFacets: several(random, 0, 3, () => ({
      FacetName: anyName(random),
      KeyAttributeAlias: { PartitionKeyAlias: anyName(random), SortKeyAlias: anyName(random) },
      NonKeyAttributes: several(random, 0, 3, () => random.oneOf(columns).name),
      TableData: several(random, 0, 4, () => anyItem(random, columns)),
    })),
    TableData: several(random, 0, 6, () => anyItem(random, columns)),
    BillingMode: random.oneOf(['PROVISIONED', 'PAY_PER_REQUEST', anyName(random)]),
    ProvisionedCapacitySettings: {
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: anyValue(random) },
    },
  }
}

function index(random: Randomness, KeyAttributes: unknown): unknown {
  const NonKeyAttributes = several(random, 0, 3, () => anyName(random))
  const ProjectionType = random.oneOf(['ALL', 'KEYS_ONLY', 'INCLUDE'])
  return { IndexName: anyName(random), KeyAttributes, Projection: { ProjectionType, NonKeyAttributes } }
}

function anyDataModel(random: Randomness): unknown {
  const columns = anyColumns(random)
  const tableNames = several(random, 1, 3, () => anyName(random))
  const element = (KeyType: string, column: Column | undefined): unknown => ({
    AttributeName: column?.name,
    KeyType,
  })
  const schema = (partition: Column | undefined, sort: Column | undefined): unknown => [
    element('HASH', partition),
    ...(random.chance(0.7) ? [element('RANGE', sort)] : []),
  ]
  return {
    tables: tableNames.map((TableName) => ({
      TableName,
      AttributeDefinitions: columns.map(({ name, type }) => ({ AttributeName: name, AttributeType: type })),
      KeySchema: schema(columns[0], columns[1]),
      GlobalSecondaryIndexes: several(random, 0, 3, () => ({
        IndexName: anyName(random),
        KeySchema: schema(random.oneOf(keysAmong(columns)), random.oneOf(keysAmong(columns))),
        Projection: { ProjectionType: 'ALL' },
      })),
      StreamSpecification: { StreamEnabled: true, StreamViewType: random.oneOf(['NEW_IMAGE', 'x']) },
    })),
    items: Object.fromEntries(
      tableNames.map((name) => [
        name,
        several(random, 0, 6, () => ({ PutRequest: { Item: anyItem(random, columns) } })),
      ]),
    ),
    access_patterns: several(random, 0, 5, () => anyPattern(random, tableNames, columns)),
  }
}

function anyPattern(random: Randomness, tables: readonly string[], columns: readonly Column[]): unknown {
  const values = JSON.stringify({ ':v': { S: random.oneOf(words) }, ':w': { N: '1' } })
  const operation = random.oneOf([
    'query',
    'get-item',
    'put-item',
    'scan',
    'update-item',
    'transact-write-items',
    'x',
  ])
  const [partition, sort] = columns.map(({ name }) => name)
  return {
    pattern: anyName(random),
    description: anyName(random),
    table: random.oneOf([...tables, anyName(random)]),
    index: random.oneOf(['null', 'GSI1', anyName(random)]),
    dynamodb_operation: random.oneOf(['Query', 'GetItem', 'PutItem', 'Scan', 'UpdateItem', anyName(random)]),
    implementation:
      `aws dynamodb ${operation} --table-name '${random.oneOf(tables)}' --key-condition-expression ` +
      `"${partition} = :v AND begins_with(${sort}, :w)" --expression-attribute-values '${values}' ` +
      `--key '${JSON.stringify(anyItem(random, columns))}' ${anyName(random)}`,
  }
}

function anyItem(random: Randomness, columns: readonly Column[]): unknown {
  return Object.fromEntries(
    columns
      .filter((_, position) => random.chance(position < 2 ? 0.98 : 0.6))
      .map(({ name, type }) => [name, stored(random, random.chance(0.97) ? type : random.oneOf(types))]),
  )
}

function stored(random: Randomness, type: string, depth = 0): unknown {
  const inner = (): unknown => stored(random, random.oneOf(depth > 3 ? ['S', 'N'] : types), depth + 1)
  switch (type) {
    case 'S':
      return { S: random.chance(0.8) ? random.oneOf(words) : anyName(random) }
    case 'N':
      return { N: random.oneOf(['1', '2', '1790000000', '1e400', 'x', '-0.5']) }
    case 'L':
      return { L: several(random, 0, 3, inner) }
    case 'M':
      return { M: Object.fromEntries(several(random, 0, 3, () => [anyName(random), inner()])) }
    default:
      return { [type]: random.oneOf<unknown>([true, null, ['a', 'b'], ['1'], 'YQ==', {}]) }
  }
}

function anyName(random: Randomness): string {
  return random.chance(hostility) ? random.oneOf(hostileNames) : random.oneOf(plainNames)
}

function several<T>(random: Randomness, least: number, most: number, make: () => T): T[] {
  return Array.from({ length: random.between(least, most) }, make)
}

/** The document with anything in one of its places. */
function damaged(value: unknown, random: Randomness): unknown {
  if (random.chance(0.15) || typeof value !== 'object' || value === null) return anyValue(random)
  const entries = Object.entries(value)
  const at = random.between(0, entries.length)
  const changed = entries.map(([name, member], position) => [
    name,
    position === at ? damaged(member, random) : member,
  ])
  return Array.isArray(value) ? changed.map(([, member]) => member) : Object.fromEntries(changed)
}
