import { createHash } from 'node:crypto'
import { ServiceError, validationException } from '@hashrange/core'
import type { StoreClock } from '../time/store-clock.ts'

/** Where reading a shard continues. */
export interface ShardIterator {
  readonly streamArn: string
  readonly tableId: number
  readonly shardId: number
  /** The next record is the first whose sequence is not below this. */
  readonly position: bigint
  /** In steady time. */
  readonly createdAtMs: number
}

export const iteratorLifetimeMs = 15 * 60 * 1000

/** Like the service's: the stream's ARN, a number, and an opaque part. It needs no memory on the server, so it
 *  outlives a restart. The checksum catches mistakes; forging it gains nothing, because a caller who may read the
 *  stream may read all of it. */
export function encodeShardIterator(iterator: ShardIterator): string {
  const body = Buffer.allocUnsafe(bodyBytes)
  body.writeUInt32BE(iterator.tableId, 0)
  body.writeUInt32BE(iterator.shardId, 4)
  body.writeBigUInt64BE(iterator.position, 8)
  body.writeDoubleBE(iterator.createdAtMs, 16)
  return `${iterator.streamArn}|1|${Buffer.concat([body, checkOf(iterator.streamArn, body)]).toString('base64')}`
}

export function decodeShardIterator(text: string): ShardIterator {
  const [streamArn = '', version, encoded = '', ...rest] = text.split('|')
  const bytes = Buffer.from(encoded, 'base64')
  const body = bytes.subarray(0, bodyBytes)
  if (version !== '1' || rest.length > 0 || bytes.length !== bodyBytes + checkBytes) throw invalid()
  if (!checkOf(streamArn, body).equals(bytes.subarray(bodyBytes))) throw invalid()
  return {
    streamArn,
    tableId: body.readUInt32BE(0),
    shardId: body.readUInt32BE(4),
    position: body.readBigUInt64BE(8),
    createdAtMs: body.readDoubleBE(16),
  }
}

export function assertNotExpired({ createdAtMs }: ShardIterator, clock: StoreClock): void {
  if (createdAtMs >= clock.ago(iteratorLifetimeMs) && createdAtMs <= clock.steady() + iteratorLifetimeMs) return
  throw new ServiceError('ExpiredIteratorException', 'The provided iterator exceeds the maximum age allowed.')
}

const bodyBytes = 24
const checkBytes = 8

function checkOf(streamArn: string, body: Buffer): Buffer {
  return createHash('sha256').update(streamArn).update(body).digest().subarray(0, checkBytes)
}

function invalid(): ServiceError {
  return validationException('Invalid ShardIterator')
}
