import { createHash } from 'node:crypto'
import { ServiceError } from '@hashrange/core'
import type { Scope, ServiceHost } from '@hashrange/engine'
import { invalidArgument } from '../streams/stream-errors.ts'

/** Where reading a shard continues. */
export interface ShardIterator {
  readonly streamName: string
  readonly streamId: number
  readonly shard: number
  /** The next record is the first whose sequence is not below this. */
  readonly position: bigint
  /** In steady time. */
  readonly createdAtMs: number
}

export const iteratorLifetimeMs = 5 * 60 * 1000

/** The name of the stream, and an opaque part. It needs no memory on the server, so it outlives a restart. The checksum
 *  catches mistakes, and iterators of other accounts; forging it gains nothing, because whoever may read a stream may
 *  read all of it. */
export function encodeShardIterator(scope: Scope, iterator: ShardIterator): string {
  const body = Buffer.allocUnsafe(bodyBytes)
  body.writeUInt32BE(iterator.streamId, 0)
  body.writeUInt32BE(iterator.shard, 4)
  body.writeBigUInt64BE(iterator.position, 8)
  body.writeDoubleBE(iterator.createdAtMs, 16)
  const check = checkOf(scope, iterator.streamName, body)
  return `${iterator.streamName}/${Buffer.concat([body, check]).toString('base64')}`
}

export function decodeShardIterator(scope: Scope, text: string): ShardIterator {
  const at = text.indexOf('/')
  const streamName = text.slice(0, Math.max(at, 0))
  const bytes = Buffer.from(text.slice(at + 1), 'base64')
  const body = bytes.subarray(0, bodyBytes)
  if (bytes.length !== bodyBytes + checkBytes) throw invalid()
  if (!checkOf(scope, streamName, body).equals(bytes.subarray(bodyBytes))) throw invalid()
  return {
    streamName,
    streamId: body.readUInt32BE(0),
    shard: body.readUInt32BE(4),
    position: body.readBigUInt64BE(8),
    createdAtMs: body.readDoubleBE(16),
  }
}

export function assertNotExpired({ createdAtMs }: ShardIterator, clock: ServiceHost['clock']): void {
  if (createdAtMs >= clock.ago(iteratorLifetimeMs) && createdAtMs <= clock.steady() + iteratorLifetimeMs) return
  throw new ServiceError(
    'ExpiredIteratorException',
    `Iterator expired. The iterator was created at time ${utc(createdAtMs)} while right now it is ${utc(clock.steady())} which is further in the future than the tolerated delay of ${iteratorLifetimeMs} milliseconds.`,
  )
}

/** As Java prints a date: `Thu Jan 22 01:22:02 UTC 2015`. */
function utc(atMs: number): string {
  const [, weekday, day, month, year, time] =
    /^(\w+), (\d+) (\w+) (\d+) ([\d:]+) GMT$/.exec(new Date(atMs).toUTCString()) ?? []
  return `${weekday} ${month} ${day} ${time} UTC ${year}`
}

const bodyBytes = 24
const checkBytes = 8

function checkOf({ accountId, region }: Scope, streamName: string, body: Buffer): Buffer {
  const hash = createHash('sha256').update(`${accountId}/${region}/${streamName}/`).update(body)
  return hash.digest().subarray(0, checkBytes)
}

function invalid(): ServiceError {
  return invalidArgument('Invalid ShardIterator.')
}
