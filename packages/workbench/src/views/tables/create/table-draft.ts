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
  /** Of a local index it is the table's. */
  readonly partitionKey: KeyDraft
  readonly sortKey: KeyDraft
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

export const emptyDraft: TableDraft = {
  name: '',
  partitionKey: { name: '', type: 'S' },
  sortKey: { name: '', type: 'S' },
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
    partitionKey: { name: '', type: 'S' },
    sortKey: { name: '', type: 'S' },
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
  if (draft.partitionKey.name === '') problems['partitionKey'] = 'Every table has a partition key.'
  if (draft.sortKey.name !== '' && draft.sortKey.name === draft.partitionKey.name) {
    problems['sortKey'] = 'The sort key is another attribute than the partition key.'
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
    if (types.size > 1) problems['types'] = `"${attribute}" has one type, whichever key it is part of.`
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
  if (index.kind === 'global' && index.partitionKey.name === '') {
    problems[`${at}.partitionKey`] = 'An index has a partition key of its own.'
  }
  if (index.kind === 'local' && index.sortKey.name === '') {
    problems[`${at}.sortKey`] = 'A local index is another order of the same collections: it needs a sort key.'
  }
  if (index.kind === 'local' && table.sortKey.name === '') {
    problems[`${at}.name`] = 'Only a table with a sort key can have local indexes.'
  }
  if (index.projection === 'INCLUDE' && attributesOf(index).length === 0) {
    problems[`${at}.attributes`] = 'Name the attributes to include.'
  }
  if (index.kind === 'global' && table.billing === 'PROVISIONED') addUnitProblems(problems, `${at}.`, index)
  return problems
}

export function nameProblem(name: string): string | undefined {
  if (name === '') return 'It needs a name.'
  if (!/^[a-zA-Z0-9_.-]*$/.test(name)) return 'Letters, digits, and _ . - only.'
  if (name.length < 3 || name.length > 255) return 'A name has 3 to 255 characters.'
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
    KeySchema: keySchema(draft.partitionKey, draft.sortKey),
    BillingMode: draft.billing,
    ...(isProvisioned && { ProvisionedThroughput: throughput(draft) }),
    ...(globals.length > 0 && {
      GlobalSecondaryIndexes: globals.map((index) => globalIndexInput(index, draft.billing)),
    }),
    ...(locals.length > 0 && {
      LocalSecondaryIndexes: locals.map((index) => ({
        IndexName: index.name,
        KeySchema: keySchema(draft.partitionKey, index.sortKey),
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
  const keys = [index.partitionKey, index.sortKey].filter(({ name }) => name !== '')
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
    KeySchema: keySchema(index.partitionKey, index.sortKey),
    Projection: projection(index),
    ...(billing === 'PROVISIONED' && { ProvisionedThroughput: throughput(index) }),
  }
}

function keySchema(partition: KeyDraft, sort: KeyDraft) {
  return [
    { AttributeName: partition.name, KeyType: 'HASH' },
    ...(sort.name === '' ? [] : [{ AttributeName: sort.name, KeyType: 'RANGE' }]),
  ]
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
    if (!/^[1-9]\d{0,6}$/.test(units[name])) problems[`${prefix}${name}`] = 'A whole number of at least 1.'
  }
}

/** The types that a draft gives to the attributes of its keys. */
function typesOf(draft: TableDraft): ReadonlyMap<string, ReadonlySet<string>> {
  const types = new Map<string, Set<string>>()
  const keys = [
    draft.partitionKey,
    draft.sortKey,
    ...draft.indexes.flatMap((index) =>
      index.kind === 'local' ? [index.sortKey] : [index.partitionKey, index.sortKey],
    ),
  ]
  for (const { name, type } of keys) {
    if (name !== '') types.set(name, (types.get(name) ?? new Set()).add(type))
  }
  return types
}
