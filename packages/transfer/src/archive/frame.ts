import { crc32, readChanges, writeChanges, type CommittedBatch, type KeyChange } from '@hashrange/engine'

/** A piece of a snapshot or of an archived log. Consecutive pieces, applied one after another, result in the state at
 *  the time of the last. */
export type Frame =
  /** Where it comes from. The first frame. */
  | { readonly kind: 'start'; readonly start: ArchiveStart }
  /** Entries as they were when they were read. */
  | { readonly kind: 'entries'; readonly changes: readonly KeyChange[] }
  | ({ readonly kind: 'batch'; readonly atMs: number } & CommittedBatch)
  /** Without it something is missing. The last frame. */
  | { readonly kind: 'end'; readonly end: ArchiveEnd }

export interface ArchiveStart {
  readonly format: 1
  readonly store: string
  /** The last batch before this. */
  readonly batch: number
  readonly atMs: number
}

export interface ArchiveEnd {
  readonly batch: number
  readonly atMs: number
}

/** ON DISK, integers little-endian: `kind: 1 (0 start, 1 entries, 2 batch, 3 end) · length of what follows the checksum: 4 · CRC-32 of the kind and of what follows: 4`,
 *  then JSON for a start and an end, changes in a row for entries (docs/storage-format.md), and for a batch `number: 8 · previous: 8 · time, a
 *  double: 8` and its changes. */
export function encodeFrame(frame: Frame): Buffer {
  const payload = payloadOf(frame)
  const bytes = Buffer.allocUnsafe(headerBytes + payload.length)
  bytes.writeUInt8(kinds.indexOf(frame.kind), 0)
  bytes.writeUInt32LE(payload.length, 1)
  bytes.set(payload, headerBytes)
  bytes.writeUInt32LE(checksumOf(bytes), 5)
  return bytes
}

/** The frames of a stream of bytes. Throws if one is damaged or cut short. */
export async function* decodeFrames(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  let rest = Buffer.alloc(0)
  for await (const chunk of chunks) {
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk])
    for (;;) {
      const bytes = frameBytes(rest)
      if (bytes === undefined || rest.length < bytes) break
      yield decodeFrame(rest.subarray(0, bytes))
      rest = rest.subarray(bytes)
    }
  }
  if (rest.length > 0) throw new Error('it was cut short')
}

const kinds = ['start', 'entries', 'batch', 'end'] as const
const headerBytes = 9
/** No batch is larger; what says so is damaged. */
const mostBytes = 1024 * 1024 * 1024

function frameBytes(bytes: Buffer): number | undefined {
  if (bytes.length < headerBytes) return undefined
  const payloadBytes = bytes.readUInt32LE(1)
  if (payloadBytes > mostBytes) throw new Error('it is damaged')
  return headerBytes + payloadBytes
}

function payloadOf(frame: Frame): Buffer {
  switch (frame.kind) {
    case 'start':
      return Buffer.from(JSON.stringify(frame.start))
    case 'entries':
      return writeChanges(frame.changes)
    case 'batch': {
      const changes = writeChanges(frame.changes)
      const payload = Buffer.allocUnsafe(24 + changes.length)
      payload.writeBigUInt64LE(BigInt(frame.number), 0)
      payload.writeBigUInt64LE(BigInt(frame.previous), 8)
      payload.writeDoubleLE(frame.atMs, 16)
      payload.set(changes, 24)
      return payload
    }
    case 'end':
      return Buffer.from(JSON.stringify(frame.end))
  }
}

function decodeFrame(bytes: Buffer): Frame {
  if (bytes.readUInt32LE(5) !== checksumOf(bytes)) throw new Error('it is damaged')
  const payload = bytes.subarray(headerBytes)
  const kind = kinds[bytes.readUInt8(0)]
  if (kind === undefined) throw new Error('it is damaged')
  switch (kind) {
    case 'start': {
      const start = JSON.parse(payload.toString()) as ArchiveStart
      if (start.format !== 1)
        throw new Error(`it has format ${String(start.format)}, which this version does not read`)
      return { kind: 'start', start }
    }
    case 'entries':
      return { kind: 'entries', changes: readChanges(payload) }
    case 'batch':
      return {
        kind: 'batch',
        number: Number(payload.readBigUInt64LE(0)),
        previous: Number(payload.readBigUInt64LE(8)),
        atMs: payload.readDoubleLE(16),
        changes: readChanges(payload.subarray(24)),
      }
    case 'end':
      return { kind: 'end', end: JSON.parse(payload.toString()) as ArchiveEnd }
  }
}

function checksumOf(bytes: Buffer): number {
  return crc32(bytes.subarray(headerBytes), crc32(bytes.subarray(0, 1)))
}
