import type {
  AttributeDescription,
  AttributeType,
  EntityDescription,
  IndexKeyDescription,
  KeyTemplateDescription,
  ModelDescription,
  PatternDescription,
  ScalarType,
  StoredType,
  TableDescription,
  ValueDescription,
} from '../description.ts'
import { parseTemplate } from '../keys/parse-template.ts'

const storedTypes: Readonly<Partial<Record<AttributeType, StoredType>>> = {
  number: 'N',
  int: 'N',
  ttl: 'N',
  version: 'N',
  shard: 'N',
  boolean: 'BOOL',
  binary: 'B',
  list: 'L',
  map: 'M',
  record: 'M',
  set: 'SS',
  any: 'ANY',
}

function value(type: AttributeType, more: Partial<ValueDescription> = {}): ValueDescription {
  return { type, storedAs: storedTypes[type] ?? 'S', ...more }
}

function attribute(
  name: string,
  type: AttributeType,
  more: Partial<AttributeDescription> = {},
): AttributeDescription {
  return { name, ...value(type), isOptional: false, isReadOnly: false, isStored: true, hasDefault: false, ...more }
}

function template(key: string, text: string, storedAs: ScalarType = 'S'): KeyTemplateDescription {
  return { attribute: key, storedAs, text, parts: parseTemplate(text), isNative: text === `{${key}}` }
}

function indexKey(index: string, partition: string, sort: string, more: Partial<IndexKeyDescription> = {}) {
  return { index, partition: [template(`${index}pk`, partition)], sort: [template(`${index}sk`, sort)], ...more }
}

function pattern(
  name: string,
  more: Partial<PatternDescription> & Pick<PatternDescription, 'operation' | 'action'>,
): PatternDescription {
  const defaults = { table: 'main', entities: [], order: 'ascending', isConsistent: false } as const
  return { name, ...defaults, parameters: [], traffic: {}, budget: {}, ...more }
}

const main: TableDescription = {
  id: 'main',
  name: 'shop',
  partitionKey: { name: 'pk', type: 'S' },
  sortKey: { name: 'sk', type: 'S' },
  indexes: [
    {
      name: 'gsi1',
      kind: 'global',
      partitionKeys: [{ name: 'gsi1pk', type: 'S' }],
      sortKeys: [{ name: 'gsi1sk', type: 'S' }],
      projection: { type: 'ALL' },
    },
    {
      name: 'open',
      kind: 'global',
      partitionKeys: [{ name: 'openpk', type: 'S' }],
      sortKeys: [{ name: 'opensk', type: 'S' }],
      projection: { type: 'KEYS_ONLY' },
    },
    {
      name: 'byRegion',
      kind: 'global',
      partitionKeys: [
        { name: 'region', type: 'S' },
        { name: 'status', type: 'S' },
      ],
      sortKeys: [{ name: 'total', type: 'N' }],
      projection: { type: 'INCLUDE', attributes: ['entity', 'placedAt'] },
    },
    {
      name: 'byTotal',
      kind: 'local',
      partitionKeys: [{ name: 'pk', type: 'S' }],
      sortKeys: [{ name: 'byTotalsk', type: 'S' }],
      projection: { type: 'KEYS_ONLY' },
    },
  ],
  discriminator: 'entity',
  ttlAttribute: 'expiresAt',
  billing: { mode: 'on-demand' },
  stream: 'NEW_AND_OLD_IMAGES',
  pointInTimeRecovery: true,
  deletionProtection: true,
  tableClass: 'STANDARD',
  description: 'Customers and what they order.',
}

const events: TableDescription = {
  id: 'events',
  name: 'shop-events',
  partitionKey: { name: 'device', type: 'S' },
  sortKey: { name: 'at', type: 'N' },
  indexes: [
    {
      name: 'byKind',
      kind: 'global',
      partitionKeys: [{ name: 'kind', type: 'S' }],
      sortKeys: [],
      projection: { type: 'ALL' },
    },
  ],
  discriminator: 'entity',
  billing: { mode: 'provisioned', readUnits: 10, writeUnits: 5 },
}

const customer: EntityDescription = {
  name: 'Customer',
  table: 'main',
  description: 'Who buys.',
  attributes: [
    attribute('customerId', 'ulid'),
    attribute('email', 'string'),
    attribute('tier', 'enum', { values: ['free', 'pro'], hasDefault: true, defaultValue: 'free' }),
    attribute('tags', 'set', { element: value('string'), isOptional: true }),
    attribute('address', 'map', {
      fields: [attribute('city', 'string'), attribute('zip', 'string', { isOptional: true })],
      isOptional: true,
    }),
    attribute('photo', 'binary', { isOptional: true }),
    attribute('version', 'version', { hasDefault: true, defaultValue: 1 }),
  ],
  key: { partition: template('pk', 'CUSTOMER#{customerId}'), sort: template('sk', 'PROFILE') },
  indexKeys: [],
  satellites: [
    {
      kind: 'unique',
      name: 'Customer.email',
      attributes: ['email'],
      key: { partition: template('pk', 'UNIQUE#Customer#email#{email}'), sort: template('sk', 'UNIQUE') },
      include: [],
    },
  ],
  volume: { items: 10_000 },
}

const order: EntityDescription = {
  name: 'Order',
  table: 'main',
  attributes: [
    attribute('customerId', 'ulid'),
    attribute('orderId', 'ulid'),
    attribute('placedAt', 'iso', { precision: 'second' }),
    attribute('region', 'string'),
    attribute('status', 'enum', { values: ['OPEN', 'PAID', 'SHIPPED'] }),
    attribute('total', 'int', { range: { min: 0, max: 99_999_999 } }),
    attribute('shard', 'shard', { shard: { count: 8, by: 'orderId' }, isStored: false }),
    attribute('expiresAt', 'ttl', { isOptional: true }),
  ],
  key: {
    partition: template('pk', 'CUSTOMER#{customerId}'),
    sort: template('sk', 'ORDER#{placedAt}#{orderId}'),
  },
  indexKeys: [
    indexKey('gsi1', 'ORDER#{orderId}', 'ORDER'),
    indexKey('open', 'OPEN#{shard}', '{placedAt}', {
      when: [{ attribute: 'status', values: ['OPEN'] }],
      shards: { count: 8, by: 'orderId', attribute: 'shard' },
    }),
    {
      index: 'byRegion',
      partition: [template('region', '{region}'), template('status', '{status}')],
      sort: [template('total', '{total}', 'N')],
    },
    {
      index: 'byTotal',
      partition: [template('pk', 'CUSTOMER#{customerId}')],
      sort: [template('byTotalsk', '{total:08}')],
    },
  ],
  satellites: [],
  volume: { items: 50_000, perPartition: 5 },
}

const line: EntityDescription = {
  name: 'Line',
  table: 'main',
  attributes: [
    attribute('orderId', 'ulid'),
    attribute('n', 'int', { range: { min: 1, max: 9999 } }),
    attribute('sku', 'string'),
    attribute('quantity', 'int'),
  ],
  key: { partition: template('pk', 'ORDER#{orderId}'), sort: template('sk', 'LINE#{n:04}') },
  indexKeys: [indexKey('gsi1', 'ORDER#{orderId}', 'LINE#{n:04}')],
  satellites: [],
  volume: {},
}

const event: EntityDescription = {
  name: 'Event',
  table: 'events',
  attributes: [
    attribute('device', 'string'),
    attribute('at', 'int'),
    attribute('kind', 'enum', { values: ['click', 'view'] }),
    attribute('path', 'list', { element: value('string'), count: { typical: 2 } }),
  ],
  key: { partition: template('device', '{device}'), sort: template('at', '{at}', 'N') },
  indexKeys: [{ index: 'byKind', partition: [template('kind', '{kind}')], sort: [] }],
  satellites: [],
  volume: {},
}

/** A model with one of everything an export must carry. */
export const shopDescription: ModelDescription = {
  formatVersion: 1,
  name: 'shop',
  description: 'A shop, and the devices it is visited from.',
  owner: 'shop team',
  tables: [main, events],
  entities: [customer, order, line, event],
  patterns: [
    pattern('getCustomer', {
      operation: 'GetItem',
      action: 'get',
      entities: ['Customer'],
      parameters: [{ name: 'customerId', kind: 'value', isRequired: true, value: value('ulid') }],
      traffic: { rate: 900 },
      budget: { readUnits: 0.5 },
      owner: 'accounts',
      description: 'The profile page.',
    }),
    pattern('customerByEmail', {
      operation: 'GetItem',
      action: 'lookup',
      entities: ['Customer'],
      via: 'Customer.email',
      parameters: [{ name: 'email', kind: 'value', isRequired: true, value: value('string') }],
    }),
    pattern('recentOrders', {
      operation: 'Query',
      action: 'query',
      entities: ['Order'],
      partition: [template('pk', 'CUSTOMER#{customerId}')],
      sort: {
        kind: 'range',
        templates: [template('sk', 'ORDER#')],
        attribute: 'placedAt',
        format: { kind: 'plain' },
      },
      order: 'descending',
      limit: 25,
      parameters: [
        { name: 'customerId', kind: 'value', isRequired: true, value: value('ulid') },
        { name: 'placedAt', kind: 'range', isRequired: false, value: value('iso') },
      ],
      traffic: { rate: 200, items: 5 },
    }),
    pattern('orderWithLines', {
      operation: 'Query',
      action: 'query',
      index: 'gsi1',
      entities: ['Order', 'Line'],
      partition: [template('gsi1pk', 'ORDER#{orderId}')],
      parameters: [{ name: 'orderId', kind: 'value', isRequired: true, value: value('ulid') }],
    }),
    pattern('openOrders', {
      operation: 'Query',
      action: 'query',
      index: 'open',
      entities: ['Order'],
      partition: [template('openpk', 'OPEN#{shard}')],
      shards: { count: 8, by: 'orderId', attribute: 'shard' },
    }),
    pattern('topInRegion', {
      operation: 'Query',
      action: 'query',
      index: 'byRegion',
      entities: ['Order'],
      partition: [template('region', '{region}'), template('status', '{status}')],
      order: 'descending',
      limit: 10,
      parameters: [
        { name: 'region', kind: 'value', isRequired: true, value: value('string') },
        { name: 'status', kind: 'value', isRequired: true, value: value('string') },
      ],
    }),
    pattern('placeOrder', {
      operation: 'TransactWriteItems',
      action: 'transact',
      entities: ['Order', 'Line'],
      steps: [
        { entity: 'Order', action: 'create', count: 1 },
        { entity: 'Line', action: 'create', count: 3 },
      ],
      parameters: [{ name: 'item', kind: 'item', isRequired: true }],
      traffic: { rate: 20 },
    }),
    pattern('shipOrder', {
      operation: 'UpdateItem',
      action: 'update',
      entities: ['Order'],
      changes: ['status'],
      parameters: [{ name: 'changes', kind: 'changes', isRequired: true }],
    }),
    pattern('eventsOfDevice', {
      operation: 'Query',
      action: 'query',
      table: 'events',
      entities: ['Event'],
      partition: [template('device', '{device}')],
      parameters: [{ name: 'device', kind: 'value', isRequired: true, value: value('string') }],
    }),
  ],
}
