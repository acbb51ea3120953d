import type { Value } from '@hashrange/engine'

export interface StoredRecord {
  /** When it arrived, calendar time. */
  readonly atMs: number
  readonly isEncrypted: boolean
  readonly partitionKey: string
  readonly data: Buffer
}

const headerBytes = 13

/** format (1 byte), whether the stream was encrypted (1 byte), its time (8 bytes), the length of the partition key
 *  (2 bytes) and a reserved byte, then the partition key in UTF-8 and the data. ON DISK. */
export function encodeRecord({ atMs, isEncrypted, partitionKey, data }: StoredRecord): Value {
  const key = Buffer.from(partitionKey, 'utf8')
  const value = Buffer.allocUnsafe(headerBytes + key.length + data.length)
  value[0] = 1
  value[1] = isEncrypted ? 1 : 0
  value.writeDoubleBE(atMs, 2)
  value.writeUInt16BE(key.length, 10)
  value[12] = 0
  value.set(key, headerBytes)
  value.set(data, headerBytes + key.length)
  return value
}

export function decodeRecord(value: Value): StoredRecord {
  const keyEnd = headerBytes + value.readUInt16BE(10)
  return {
    atMs: value.readDoubleBE(2),
    isEncrypted: value[1] === 1,
    partitionKey: value.toString('utf8', headerBytes, keyEnd),
    data: value.subarray(keyEnd),
  }
}
