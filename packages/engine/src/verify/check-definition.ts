import { isRecord } from '../api/is-record.ts'
import type {
  IndexDefinition,
  KeySchema,
  ShardDefinition,
  TableDefinition,
} from '../definitions/table-definition.ts'
import { changeLogOf } from '../changes/change-log.ts'

/** What keeps a table's definition from being worked with; nothing if it is one. Members that are not used to find items,
 *  index entries and changes are not looked into: they may grow with later versions. */
export function definitionProblems(raw: unknown): readonly string[] {
  if (!isRecord(raw)) return ['It is not a JSON object.']
  const problems: string[] = []
  const expect = (holds: boolean, problem: string): void => {
    if (!holds) problems.push(problem)
  }
  for (const name of ['tableUuid', 'accountId', 'region', 'tableName'] as const) {
    expect(typeof raw[name] === 'string' && raw[name] !== '', `It has no ${name}.`)
  }
  expect(isIdentifier(raw['tableId']), 'Its tableId is not an identifier.')
  expect(isTime(raw['createdAtMs']), 'Its createdAtMs is not a time.')
  expect(isStatus(raw['status']), 'Its status is unknown.')
  expect(isTypes(raw['attributeTypes']), 'Its attributeTypes are not types of keys.')
  expect(isKeySchema(raw['keySchema'], 1, 1), 'Its keySchema is not one of a table.')
  expect(isRecord(raw['billing']) && isRecord(raw['tags']), 'Its billing or its tags are missing.')
  expect(isIndexes(raw['localIndexes'], 'local'), 'Its localIndexes are not definitions of local indexes.')
  expect(isIndexes(raw['globalIndexes'], 'global'), 'Its globalIndexes are not definitions of global indexes.')
  expect(isOptional(raw['shards'], isShards), 'Its shards are not those of a change log.')
  expect(isOptional(raw['timeToLive'], isTimeToLive), 'Its timeToLive names no attribute or no index of expiries.')
  expect(isOptional(raw['replication'], isReplication), 'Its replication names no replicas, or no stamps.')
  expect(isOptional(raw['cuts'], isCuts), 'Its cuts are not valid.')
  expect(isOptional(raw['restore'], isRestore), 'Its restore does not say where its items come from.')
  expect(
    isOptional(raw['stream'], isRecord) && isOptional(raw['recovery'], isRecord),
    'Its stream is not a valid description of a stream.',
  )
  return problems.length > 0 ? problems : relationProblems(raw as unknown as TableDefinition)
}

/** What the parts of a definition must be to each other. */
function relationProblems(definition: TableDefinition): readonly string[] {
  const problems: string[] = []
  const { attributeTypes, keySchema, localIndexes, globalIndexes, shards = [], nextShardId = 0 } = definition
  const indexes = [...localIndexes, ...globalIndexes]
  const names = new Set<string>()
  for (const { indexName, keySchema: schema } of indexes) {
    if (names.has(indexName)) problems.push(`Two of its indexes are named ${indexName}.`)
    names.add(indexName)
    if (!isTyped(schema, attributeTypes)) problems.push(`A key of its index ${indexName} has no type.`)
  }
  if (!isTyped(keySchema, attributeTypes)) problems.push('One of its keys has no type.')
  if (localIndexes.some((index) => index.keySchema.hash[0] !== keySchema.hash[0])) {
    problems.push('A local index has another partition key than its table.')
  }
  const shardIds = new Set(shards.map(({ shardId }) => shardId))
  if (shardIds.size < shards.length || shards.some(({ shardId }) => shardId >= nextShardId)) {
    problems.push('The identifiers of its shards are not those that it has assigned.')
  }
  if (changeLogOf(definition) !== undefined && !coverEveryHash(shards)) {
    problems.push('The open shards of its change log leave a gap, or overlap.')
  }
  return problems
}

function coverEveryHash(shards: readonly ShardDefinition[]): boolean {
  const open = shards.filter(({ closedAt }) => closedAt === undefined).toSorted((a, b) => a.fromHash - b.fromHash)
  let end = 0
  for (const { fromHash, toHash } of open) {
    if (fromHash !== end || toHash <= fromHash) return false
    end = toHash
  }
  return end === 2 ** 32
}

function isTyped({ hash, range }: KeySchema, types: TableDefinition['attributeTypes']): boolean {
  return [...hash, ...range].every((name) => Object.hasOwn(types, name))
}

function isIndexes(raw: unknown, kind: IndexDefinition['kind']): boolean {
  return Array.isArray(raw) && raw.every((index) => isIndex(index, kind))
}

function isIndex(raw: unknown, kind: IndexDefinition['kind']): boolean {
  if (!isRecord(raw)) return false
  const { indexId, indexName, keySchema, projection, status } = raw
  if (!isIdentifier(indexId) || typeof indexName !== 'string' || raw['kind'] !== kind || !isStatus(status))
    return false
  return isKeySchema(keySchema, kind === 'local' ? 1 : 4, kind === 'local' ? 1 : 4) && isProjection(projection)
}

function isProjection(raw: unknown): boolean {
  if (!isRecord(raw)) return false
  const { kind, nonKeyAttributes } = raw
  return kind === 'ALL' || kind === 'KEYS_ONLY' || (kind === 'INCLUDE' && isNames(nonKeyAttributes))
}

function isKeySchema(raw: unknown, mostHash: number, mostRange: number): boolean {
  if (!isRecord(raw)) return false
  const { hash, range } = raw
  if (!isNames(hash) || !isNames(range)) return false
  return hash.length >= 1 && hash.length <= mostHash && range.length <= mostRange
}

function isShards(raw: unknown): boolean {
  return Array.isArray(raw) && raw.every(isShard)
}

function isShard(raw: unknown): boolean {
  if (!isRecord(raw)) return false
  const { shardId, parentShardId, fromHash, toHash, openedAt, closedAt } = raw
  return (
    isNumber(shardId) &&
    isOptional(parentShardId, isNumber) &&
    isNumber(fromHash) &&
    isNumber(toHash) &&
    isSequence(openedAt) &&
    isOptional(closedAt, isSequence)
  )
}

function isTimeToLive(raw: unknown): boolean {
  return isRecord(raw) && typeof raw['attributeName'] === 'string' && isIdentifier(raw['expiryIndexId'])
}

function isReplication(raw: unknown): boolean {
  if (!isRecord(raw) || !isIdentifier(raw['stampsId']) || typeof raw['globalTableId'] !== 'string') return false
  const { replicas } = raw
  return Array.isArray(replicas) && replicas.every((one) => isRecord(one) && typeof one['region'] === 'string')
}

function isRestore(raw: unknown): boolean {
  if (!isRecord(raw) || !isRecord(raw['source'])) return false
  const { kind, backupArn, tableId, undoId } = raw['source']
  return kind === 'backup' ? typeof backupArn === 'string' : isIdentifier(tableId) && isIdentifier(undoId)
}

function isCuts(raw: unknown): boolean {
  return Array.isArray(raw) && raw.every((cut) => isRecord(cut) && isIdentifier(cut['id']))
}

function isTypes(raw: unknown): boolean {
  return isRecord(raw) && Object.values(raw).every((type) => type === 'S' || type === 'N' || type === 'B')
}

function isStatus(raw: unknown): boolean {
  return raw === 'CREATING' || raw === 'ACTIVE' || raw === 'UPDATING' || raw === 'DELETING'
}

function isNames(raw: unknown): raw is readonly string[] {
  return Array.isArray(raw) && raw.every((name) => typeof name === 'string' && name !== '')
}

function isSequence(raw: unknown): boolean {
  return typeof raw === 'string' && /^\d{1,20}$/.test(raw)
}

export function isIdentifier(raw: unknown): raw is number {
  return isNumber(raw) && raw >= 1 && raw < 2 ** 32
}

function isNumber(raw: unknown): raw is number {
  return Number.isSafeInteger(raw) && (raw as number) >= 0
}

function isTime(raw: unknown): boolean {
  return typeof raw === 'number' && Number.isFinite(raw)
}

function isOptional(raw: unknown, is: (raw: unknown) => boolean): boolean {
  return raw === undefined || is(raw)
}
