/** Which key holds what: only this folder knows. ON DISK; docs/storage-format.md describes it. The first
 *  byte names the space; identifiers are four bytes, big-endian. */
export const keySpace = {
  format: 0x01,
  catalog: 0x02,
  nextId: 0x03,
  purge: 0x04,
  droppedTable: 0x05,
  catalogVersion: 0x06,
  tableVersion: 0x07,
  lease: 0x08,
  copyMark: 0x09,
  clock: 0x0a,
  progress: 0x0b,
  item: 0x10,
  indexEntry: 0x11,
  collection: 0x12,
  counts: 0x13,
  token: 0x14,
  tokenExpiry: 0x15,
  itemExpiry: 0x16,
  itemStamp: 0x17,
  tombstone: 0x18,
  replicationCursor: 0x19,
  regionConditions: 0x1a,
  conflict: 0x1b,
  missedWrite: 0x1c,
  changeLog: 0x20,
  backup: 0x21,
  keptItem: 0x22,
  exportJob: 0x30,
  importJob: 0x31,
  exportToken: 0x32,
  importToken: 0x33,
  metrics: 0x40,
  partitionModel: 0x41,
  customMetric: 0x42,
  customPeriod: 0x43,
  capacityReport: 0x44,
  scalableTarget: 0x50,
  scalingPolicy: 0x51,
  scheduledAction: 0x52,
  scalingActivity: 0x53,
  alarm: 0x54,
  alarmHistory: 0x55,
  contributorInsights: 0x56,
  stack: 0x58,
  stackChangeSet: 0x59,
  stackEvent: 0x5a,
  stackOperation: 0x5b,
  stackAsset: 0x5c,
  identity: 0x60,
  kinesisStream: 0x68,
  kinesisConsumer: 0x69,
  kinesisShard: 0x6a,
  kinesisRecord: 0x6b,
  lambdaFunction: 0x70,
  lambdaCode: 0x71,
  eventSourceMapping: 0x72,
  shardProgress: 0x73,
  daxAttributeList: 0x74,
  branchList: 0xe0,
  branchEntry: 0xe1,
  branchCounter: 0xe2,
  branchMark: 0xe3,
  kinesisDestination: 0x6c,
  changeFeed: 0x6d,
  pipe: 0x6e,
  httpEndpoint: 0x6f,
} as const

/** The format version that this software writes, and the versions of software that can read and write it. A change of
 *  the format also needs a migration of the SQL schema (packages/postgres/src/schema), which the servers of a
 *  database watch. ON DISK. */
export const format = { version: 1, readableFrom: 1, writableFrom: 1 } as const

/** Where a store that numbers all logs together keeps the last number it has used, below all spaces. */
export const lastSequenceKey = Buffer.of(0x00)

export function formatKey(): Buffer {
  return Buffer.of(keySpace.format)
}

export function nextIdKey(): Buffer {
  return Buffer.of(keySpace.nextId)
}

/** Account and region never contain a zero byte, so it can end them. */
export function catalogKey(accountId: string, region: string, tableName: string): Buffer {
  return Buffer.from(`${String.fromCharCode(keySpace.catalog)}${accountId}\0${region}\0${tableName}`, 'utf8')
}

export function catalogRange(): { from: Buffer; to: Buffer } {
  return { from: Buffer.of(keySpace.catalog), to: Buffer.of(keySpace.catalog + 1) }
}

/** A table or index whose entries must still be removed. */
export function purgeKey(id: number): Buffer {
  return spaceAndId(keySpace.purge, id)
}

export function purgeRange(): { from: Buffer; to: Buffer } {
  return { from: Buffer.of(keySpace.purge), to: Buffer.of(keySpace.purge + 1) }
}

export function idOfPurgeKey(key: Uint8Array): number {
  return Buffer.from(key).readUInt32BE(1)
}

/** The definition of a deleted table whose change log is still kept, for its streams. */
export function droppedTableKey(tableId: number): Buffer {
  return spaceAndId(keySpace.droppedTable, tableId)
}

export function droppedTableRange(): { from: Buffer; to: Buffer } {
  return { from: Buffer.of(keySpace.droppedTable), to: Buffer.of(keySpace.droppedTable + 1) }
}

/** Counts the changes of the catalog, in a store that several servers share. */
export function catalogVersionKey(): Buffer {
  return Buffer.of(keySpace.catalogVersion)
}

/** The version of a table's definition, in a store that several servers share. Removed with the table. */
export function tableVersionKey(tableId: number): Buffer {
  return spaceAndId(keySpace.tableVersion, tableId)
}

export function tableVersionRange(): { from: Buffer; to: Buffer } {
  return { from: Buffer.of(keySpace.tableVersion), to: Buffer.of(keySpace.tableVersion + 1) }
}

export function idOfTableVersionKey(key: Uint8Array): number {
  return uint32At(key, 1)
}

/** Which server does a piece of background work, in a store that several servers share. */
export function leaseKey(name: string): Buffer {
  return Buffer.from(`${String.fromCharCode(keySpace.lease)}${name}`, 'utf8')
}

/** The progress of a copy of another store to this one; removed when it is complete. */
export function copyMarkKey(): Buffer {
  return Buffer.of(keySpace.copyMark)
}

/** The progress of background work on what an identifier names; removed at its end. */
export function progressKey(id: number): Buffer {
  return spaceAndId(keySpace.progress, id)
}

/** When the store's clock was set back. */
export function clockKey(): Buffer {
  return Buffer.of(keySpace.clock)
}

/** Counters of a table or an index: items, bytes. */
export function countsKey(id: number): Buffer {
  return spaceAndId(keySpace.counts, id)
}

/** All keys of one table's items, one index's entries, or whatever else an identifier names. */
export function spaceRange(
  space:
    | typeof keySpace.item
    | typeof keySpace.indexEntry
    | typeof keySpace.collection
    | typeof keySpace.changeLog
    | typeof keySpace.itemExpiry
    | typeof keySpace.itemStamp
    | typeof keySpace.tombstone
    | typeof keySpace.replicationCursor
    | typeof keySpace.conflict
    | typeof keySpace.missedWrite
    | typeof keySpace.keptItem
    | typeof keySpace.kinesisShard
    | typeof keySpace.kinesisRecord,
  id: number,
): { from: Buffer; to: Buffer } {
  return { from: spaceAndId(space, id), to: spaceAndId(space, id + 1) }
}

export function tokenKey(accountId: string, region: string, token: string): Buffer {
  return Buffer.from(`${String.fromCharCode(keySpace.token)}${accountId}\0${region}\0${token}`, 'utf8')
}

export function tokenRange(): { from: Buffer; to: Buffer } {
  return { from: Buffer.of(keySpace.token), to: Buffer.of(keySpace.token + 1) }
}

export function tokenExpiryRange(): { from: Buffer; to: Buffer } {
  return { from: Buffer.of(keySpace.tokenExpiry), to: Buffer.of(keySpace.tokenExpiry + 1) }
}

/** Sorted by expiry, so that the cost of removing tokens depends on what is removed. The value is the token's own
 *  key. */
export function tokenExpiryKey(expiresAtMs: number, token: Uint8Array): Buffer {
  const key = Buffer.allocUnsafe(9 + token.length)
  key[0] = keySpace.tokenExpiry
  key.writeBigUInt64BE(BigInt(expiresAtMs), 1)
  key.set(token, 9)
  return key
}

export function tokensExpiredBy(steadyMs: number): { from: Buffer; to: Buffer } {
  return { from: Buffer.of(keySpace.tokenExpiry), to: tokenExpiryKey(Math.max(0, steadyMs), new Uint8Array()) }
}

/** `item expiry space · expiry index id · expiry in seconds · the item's key in its table`. Sorted by expiry, so that
 *  the cost of a sweep depends on what it deletes. */
export function itemExpiryKey(expiryIndexId: number, expirySeconds: number, itemKey: Uint8Array): Buffer {
  const key = Buffer.allocUnsafe(13 + itemKey.length - 5)
  key[0] = keySpace.itemExpiry
  key.writeUInt32BE(expiryIndexId, 1)
  key.writeBigUInt64BE(BigInt(expirySeconds), 5)
  key.set(itemKey.subarray(5), 13)
  return key
}

/** The expiry entries from `fromSeconds` up to `toSeconds`. */
export function itemExpiryRange(
  expiryIndexId: number,
  fromSeconds: number,
  toSeconds: number,
): { from: Buffer; to: Buffer } {
  const noKey = new Uint8Array(5)
  return {
    from: itemExpiryKey(expiryIndexId, fromSeconds, noKey),
    to: itemExpiryKey(expiryIndexId, toSeconds, noKey),
  }
}

export function expirySecondsOfKey(expiryKey: Uint8Array): number {
  return Number(Buffer.from(expiryKey.buffer, expiryKey.byteOffset, expiryKey.byteLength).readBigUInt64BE(5))
}

/** The key of the item that an expiry entry refers to. */
export function itemKeyOfExpiry(tableId: number, expiryKey: Uint8Array): Buffer {
  return Buffer.concat([spaceAndId(keySpace.item, tableId), expiryKey.subarray(13)])
}

/** The definition of a backup. Its items are kept under an identifier of their own. */
export function backupKey(accountId: string, region: string, tableName: string, backupId: string): Buffer {
  return Buffer.from(
    `${String.fromCharCode(keySpace.backup)}${accountId}\0${region}\0${tableName}\0${backupId}`,
    'utf8',
  )
}

export function backupRange(): { from: Buffer; to: Buffer } {
  return { from: Buffer.of(keySpace.backup), to: Buffer.of(keySpace.backup + 1) }
}

/** The key of an item under another space and identifier. The order within the identifier stays the same. */
export function movedItemKey(
  space: typeof keySpace.item | typeof keySpace.keptItem | typeof keySpace.itemStamp | typeof keySpace.missedWrite,
  id: number,
  itemKey: Uint8Array,
): Buffer {
  const key = Buffer.from(itemKey)
  key[0] = space
  key.writeUInt32BE(id, 1)
  return key
}

/** The identifier in a key, after its space: of a table, an index or a replica's stamps. */
export function idOfKey(key: Uint8Array): number {
  return uint32At(key, 1)
}

/** A number in a key. Asked for with every write: it makes no Buffer. */
export function uint32At(key: Uint8Array, at: number): number {
  return (
    (((key[at] ?? 0) << 24) | ((key[at + 1] ?? 0) << 16) | ((key[at + 2] ?? 0) << 8) | (key[at + 3] ?? 0)) >>> 0
  )
}

/** A shard of a table's change log; the keys of its entries continue with their sequence. */
export function changeLogKey(tableId: number, shardId: number): Buffer {
  const key = Buffer.allocUnsafe(9)
  key[0] = keySpace.changeLog
  key.writeUInt32BE(tableId, 1)
  key.writeUInt32BE(shardId, 5)
  return key
}

/** Every entry of one shard. */
export function changeLogRange(tableId: number, shardId: number): { from: Buffer; to: Buffer } {
  return { from: changeLogKey(tableId, shardId), to: changeLogKey(tableId, shardId + 1) }
}

export function spaceAndId(space: number, id: number): Buffer {
  const key = Buffer.allocUnsafe(5)
  key[0] = space
  key.writeUInt32BE(id, 1)
  return key
}

/** One of `segments` equal parts of a table or an index, by the hash of the partition key. */
export function segmentRange(
  space: typeof keySpace.item | typeof keySpace.indexEntry,
  id: number,
  segment: number,
  segments: number,
): { from: Buffer; to: Buffer } {
  const whole = spaceRange(space, id)
  const boundary = (part: number): Buffer => {
    const hash = Buffer.allocUnsafe(4)
    hash.writeUInt32BE(Math.ceil((2 ** 32 * part) / segments))
    return Buffer.concat([whole.from, hash])
  }
  return {
    from: segment === 0 ? whole.from : boundary(segment),
    to: segment + 1 >= segments ? whole.to : boundary(segment + 1),
  }
}

/** The spaces of records that a scope has by name. */
export type RecordSpaceName =
  | 'scalableTarget'
  | 'scalingPolicy'
  | 'scheduledAction'
  | 'scalingActivity'
  | 'alarm'
  | 'alarmHistory'
  | 'contributorInsights'
  | 'customMetric'
  | 'customPeriod'
  | 'stack'
  | 'stackChangeSet'
  | 'stackEvent'
  | 'stackOperation'
  | 'stackAsset'
  | 'identity'
  | 'kinesisStream'
  | 'kinesisConsumer'
  | 'lambdaFunction'
  | 'lambdaCode'
  | 'eventSourceMapping'
  | 'shardProgress'
  | 'kinesisDestination'
  | 'changeFeed'
  | 'pipe'
  | 'httpEndpoint'
  | 'daxAttributeList'

/** `space · account · 0 · region · 0 · part · 0 · part …`. A part never contains a zero byte: its creator makes sure
 *  of that. */
export function recordKey(
  space: RecordSpaceName,
  accountId: string,
  region: string,
  parts: readonly string[],
): Buffer {
  return Buffer.from([`${String.fromCharCode(keySpace[space])}${accountId}`, region, ...parts].join('\0'), 'utf8')
}

/** The records of a scope that start with these parts. */
export function recordRange(
  space: RecordSpaceName,
  accountId: string,
  region: string,
  parts: readonly string[],
): { from: Buffer; to: Buffer } {
  const prefix = recordKey(space, accountId, region, parts)
  return { from: Buffer.concat([prefix, Buffer.of(0)]), to: Buffer.concat([prefix, Buffer.of(1)]) }
}

/** The records of all scopes. */
export function recordSpaceRange(space: RecordSpaceName): { from: Buffer; to: Buffer } {
  return { from: Buffer.of(keySpace[space]), to: Buffer.of(keySpace[space] + 1) }
}

/** The scope of a record, and the parts of its name. */
export function partsOfRecordKey(key: Uint8Array): {
  readonly accountId: string
  readonly region: string
  readonly parts: readonly string[]
} {
  const [accountId = '', region = '', ...parts] = Buffer.from(key.buffer, key.byteOffset + 1, key.byteLength - 1)
    .toString('utf8')
    .split('\0')
  return { accountId, region, parts }
}
