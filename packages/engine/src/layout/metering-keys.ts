import { keySpace, spaceAndId } from './key-space.ts'

/** The usage of a table, an index or (without a table) an account in one period, as counted by one process: `metrics
 *  space · resolution · account · region · table · index · start of the period in seconds · the process`. */
export function metricsKey(prefix: Uint8Array, startSeconds: number, writer: Uint8Array): Buffer {
  const key = Buffer.allocUnsafe(prefix.length + 4 + writer.length)
  key.set(prefix)
  key.writeUInt32BE(startSeconds, prefix.length)
  key.set(writer, prefix.length + 4)
  return key
}

/** The prefix of the keys of one resource. Names contain no zero byte, so it can end them. */
export function metricsPrefix(
  resolution: number,
  { accountId, region }: { readonly accountId: string; readonly region: string },
  tableName = '',
  indexName = '',
): Buffer {
  return Buffer.concat([
    Buffer.of(keySpace.metrics, resolution),
    Buffer.from(`${accountId}\0${region}\0${tableName}\0${indexName}\0`, 'utf8'),
  ])
}

/** All keys of one resolution. */
export function metricsRange(resolution: number): { from: Buffer; to: Buffer } {
  return { from: Buffer.of(keySpace.metrics, resolution), to: Buffer.of(keySpace.metrics, resolution + 1) }
}

/** Bytes after the last name: the start of the period, and the process. */
export const metricsWriterBytes = 8

export function readMetricsKey(key: Uint8Array): {
  readonly accountId: string
  readonly region: string
  readonly tableName: string
  readonly indexName: string
  readonly startSeconds: number
} {
  const bytes = Buffer.from(key.buffer, key.byteOffset, key.byteLength)
  const namesEnd = bytes.length - metricsWriterBytes - 4
  const [accountId = '', region = '', tableName = '', indexName = ''] = bytes
    .toString('utf8', 2, namesEnd)
    .split('\0')
  return { accountId, region, tableName, indexName, startSeconds: bytes.readUInt32BE(namesEnd) }
}

/** What a server reports to the others about a table or index that it serves, in a store that several servers share;
 *  with identifier 0, that it is there. */
export function capacityReportKey(id: number, server: Uint8Array): Buffer {
  return Buffer.concat([spaceAndId(keySpace.capacityReport, id), server])
}

export function capacityReportRange(): { from: Buffer; to: Buffer } {
  return { from: Buffer.of(keySpace.capacityReport), to: Buffer.of(keySpace.capacityReport + 1) }
}

/** Whose report it is, and about what. */
export function readCapacityReportKey(key: Uint8Array): { readonly id: number; readonly server: string } {
  const bytes = Buffer.from(key.buffer, key.byteOffset, key.byteLength)
  return { id: bytes.readUInt32BE(1), server: bytes.toString('hex', 5) }
}

/** The partitions of a table or index. */
export function partitionModelKey(id: number): Buffer {
  return spaceAndId(keySpace.partitionModel, id)
}

export function partitionModelRange(): { from: Buffer; to: Buffer } {
  return { from: Buffer.of(keySpace.partitionModel), to: Buffer.of(keySpace.partitionModel + 1) }
}

export function idOfPartitionModelKey(key: Uint8Array): number {
  return Buffer.from(key).readUInt32BE(1)
}
