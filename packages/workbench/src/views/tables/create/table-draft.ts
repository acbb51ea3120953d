/** A table as the form has it, before it is one. */
export interface TableDraft {
  readonly name: string
  readonly partitionKey: KeyDraft
  readonly sortKey: KeyDraft
  readonly billing: 'PAY_PER_REQUEST' | 'PROVISIONED'
  readonly readUnits: string
  readonly writeUnits: string
  readonly indexes: readonly IndexDraft[]
  readonly stream: StreamDraft
  readonly ttlAttribute: string
  readonly hasRecovery: boolean
  readonly isProtected: boolean
  readonly tableClass: 'STANDARD' | 'STANDARD_INFREQUENT_ACCESS'
  readonly tags: readonly TagDraft[]
}

export interface KeyDraft {
  readonly name: string
  readonly type: 'S' | 'N' | 'B'
}

export type StreamDraft = 'NONE' | 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES'

export interface IndexDraft {
  readonly id: number
  readonly kind: 'global' | 'local'
  readonly name: string
  /** Up to four attributes. Of a local index it is the table's. */
  readonly partitionKeys: readonly KeyDraft[]
  /** Up to four attributes; of a local index one. Those without a name are left out. */
  readonly sortKeys: readonly KeyDraft[]
  readonly projection: 'ALL' | 'KEYS_ONLY' | 'INCLUDE'
  /** Separated by commas. */
  readonly attributes: string
  readonly readUnits: string
  readonly writeUnits: string
}

export interface TagDraft {
  readonly key: string
  readonly value: string
}

export const emptyKey: KeyDraft = { name: '', type: 'S' }

/** How many attributes each key of a global index may have. */
export const mostKeyAttributes = 4

export const emptyDraft: TableDraft = {
  name: '',
  partitionKey: emptyKey,
  sortKey: emptyKey,
  billing: 'PAY_PER_REQUEST',
  readUnits: '5',
  writeUnits: '5',
  indexes: [],
  stream: 'NONE',
  ttlAttribute: '',
  hasRecovery: false,
  isProtected: false,
  tableClass: 'STANDARD',
  tags: [],
}

export function emptyIndex(id: number, kind: 'global' | 'local'): IndexDraft {
  return {
    id,
    kind,
    name: '',
    partitionKeys: [emptyKey],
    sortKeys: [emptyKey],
    projection: 'ALL',
    attributes: '',
    readUnits: '5',
    writeUnits: '5',
  }
}

/** What is wrong with a draft, by the field it is wrong in: `name`, `partitionKey`, `index.3.name`. */
export function draftProblems(draft: TableDraft): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {}
  const name = nameProblem(draft.name)
  if (name !== undefined) problems['name'] = name
  if (draft.partitionKey.name === '') problems['partitionKey'] = 'A table needs a partition key.'
  if (draft.sortKey.name !== '' && draft.sortKey.name === draft.partitionKey.name) {
    problems['sortKey'] = 'The sort key cannot be the same attribute as the partition key.'
  }
  if (draft.billing === 'PROVISIONED') addUnitProblems(problems, '', draft)
  const names = new Set<string>()
  for (const index of draft.indexes) {
    Object.assign(problems, indexProblems(index, draft))
    if (names.has(index.name) && index.name !== '')
      problems[`index.${index.id}.name`] = 'Another index has this name.'
    names.add(index.name)
  }
  for (const [attribute, types] of typesOf(draft)) {
    if (types.size > 1) problems['types'] = `"${attribute}" must have the same type in every key.`
  }
  return problems
}

export function indexProblems(
  index: IndexDraft,
  table: Pick<TableDraft, 'billing' | 'sortKey'>,
): Record<string, string> {
  const at = `index.${index.id}`
  const problems: Record<string, string> = {}
  const name = nameProblem(index.name)
  if (name !== undefined) problems[`${at}.name`] = name
  const partition = named(index.partitionKeys)
  const sort = named(index.sortKeys)
  if (index.kind === 'global' && partition.length === 0) {
    problems[`${at}.partitionKey`] = 'An index needs a partition key.'
  }
  if (index.kind === 'local' && sort.length === 0) {
    problems[`${at}.sortKey`] =
      'A local secondary index needs a sort key: it orders the same item collections differently.'
  }
  const repeated = repeatedName(index.kind === 'local' ? sort : [...partition, ...sort])
  if (repeated !== undefined) problems[`${at}.sortKey`] = `"${repeated}" is in the key twice.`
  if (index.kind === 'local' && table.sortKey.name === '') {
    problems[`${at}.name`] = 'Only a table with a sort key can have local secondary indexes.'
  }
  if (index.projection === 'INCLUDE' && attributesOf(index).length === 0) {
    problems[`${at}.attributes`] = 'Name the attributes to include.'
  }
  if (index.kind === 'global' && table.billing === 'PROVISIONED') addUnitProblems(problems, `${at}.`, index)
  return problems
}

export function nameProblem(name: string): string | undefined {
  if (name === '') return 'Enter a name.'
  if (!/^[a-zA-Z0-9_.-]*$/.test(name)) return 'Letters, digits, and _ . - only.'
  if (name.length < 3 || name.length > 255) return 'A name must have 3 to 255 characters.'
  return undefined
}

/** The input of CreateTable. */
export function createTableInput(draft: TableDraft): Record<string, unknown> {
  const globals = draft.indexes.filter(({ kind }) => kind === 'global')
  const locals = draft.indexes.filter(({ kind }) => kind === 'local')
  const isProvisioned = draft.billing === 'PROVISIONED'
  return {
    TableName: draft.name,
    AttributeDefinitions: [...typesOf(draft)].map(([AttributeName, types]) => ({
      AttributeName,
      AttributeType: [...types][0],
    })),
    KeySchema: keySchema([draft.partitionKey], [draft.sortKey]),
    BillingMode: draft.billing,
    ...(isProvisioned && { ProvisionedThroughput: throughput(draft) }),
    ...(globals.length > 0 && {
      GlobalSecondaryIndexes: globals.map((index) => globalIndexInput(index, draft.billing)),
    }),
    ...(locals.length > 0 && {
      LocalSecondaryIndexes: locals.map((index) => ({
        IndexName: index.name,
        KeySchema: keySchema([draft.partitionKey], index.sortKeys),
        Projection: projection(index),
      })),
    }),
    ...(draft.stream !== 'NONE' && {
      StreamSpecification: { StreamEnabled: true, StreamViewType: draft.stream },
    }),
    ...(draft.isProtected && { DeletionProtectionEnabled: true }),
    ...(draft.tableClass !== 'STANDARD' && { TableClass: draft.tableClass }),
    ...(draft.tags.length > 0 && { Tags: draft.tags.map(({ key, value }) => ({ Key: key, Value: value })) }),
  }
}

/** The request that adds a global index to a table that exists. */
export function addIndexInput(
  tableName: string,
  known: readonly { readonly AttributeName: string; readonly AttributeType: string }[],
  index: IndexDraft,
  billing: TableDraft['billing'],
): Record<string, unknown> {
  const keys = named([...index.partitionKeys, ...index.sortKeys])
  const added = keys.filter(({ name }) => !known.some(({ AttributeName }) => AttributeName === name))
  return {
    TableName: tableName,
    AttributeDefinitions: [
      ...known,
      ...added.map(({ name, type }) => ({ AttributeName: name, AttributeType: type })),
    ],
    GlobalSecondaryIndexUpdates: [{ Create: globalIndexInput(index, billing) }],
  }
}

function globalIndexInput(index: IndexDraft, billing: TableDraft['billing']): Record<string, unknown> {
  return {
    IndexName: index.name,
    KeySchema: keySchema(index.partitionKeys, index.sortKeys),
    Projection: projection(index),
    ...(billing === 'PROVISIONED' && { ProvisionedThroughput: throughput(index) }),
  }
}

function keySchema(partition: readonly KeyDraft[], sort: readonly KeyDraft[]) {
  return [
    ...named(partition).map(({ name }) => ({ AttributeName: name, KeyType: 'HASH' })),
    ...named(sort).map(({ name }) => ({ AttributeName: name, KeyType: 'RANGE' })),
  ]
}

function named(keys: readonly KeyDraft[]): readonly KeyDraft[] {
  return keys.filter(({ name }) => name !== '')
}

function repeatedName(keys: readonly KeyDraft[]): string | undefined {
  return keys.find(({ name }, position) => keys.slice(0, position).some((earlier) => earlier.name === name))?.name
}

function projection(index: IndexDraft) {
  return {
    ProjectionType: index.projection,
    ...(index.projection === 'INCLUDE' && { NonKeyAttributes: attributesOf(index) }),
  }
}

function attributesOf({ attributes }: IndexDraft): string[] {
  return [...new Set(attributes.split(',').map((name) => name.trim()))].filter((name) => name !== '')
}

function throughput({ readUnits, writeUnits }: { readonly readUnits: string; readonly writeUnits: string }) {
  return { ReadCapacityUnits: Number(readUnits), WriteCapacityUnits: Number(writeUnits) }
}

function addUnitProblems(
  problems: Record<string, string>,
  prefix: string,
  units: { readonly readUnits: string; readonly writeUnits: string },
): void {
  for (const name of ['readUnits', 'writeUnits'] as const) {
    if (!/^[1-9]\d{0,6}$/.test(units[name])) problems[`${prefix}${name}`] = 'Enter a whole number of at least 1.'
  }
}

/** The types that a draft gives to the attributes of its keys. */
function typesOf(draft: TableDraft): ReadonlyMap<string, ReadonlySet<string>> {
  const types = new Map<string, Set<string>>()
  const keys = [
    draft.partitionKey,
    draft.sortKey,
    ...draft.indexes.flatMap((index) =>
      index.kind === 'local' ? index.sortKeys : [...index.partitionKeys, ...index.sortKeys],
    ),
  ]
  for (const { name, type } of keys) {
    if (name !== '') types.set(name, (types.get(name) ?? new Set()).add(type))
  }
  return types
}
