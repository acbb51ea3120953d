import { crc32 } from '../crc32.ts'
import type { KeyChange } from '../store.ts'
import type { Checkpoint } from './checkpoint-file.ts'
import type { Disk, DiskFile } from './disk.ts'
import { redoFileNames } from './redo-log.ts'
import { readChanges } from './redo-record.ts'

// How folders of format 1 are read, in order to upgrade them. ON DISK, in folders that nobody has opened since.

/** `CRC-32 of all that follows: 4 · length of what follows the length: 4 · generation: 8 · batch: 8 · LMDB's transaction: 8 · clean: 1`
 *  and LMDB's two meta pages. */
export function readFirstCheckpointSlot(slot: Buffer): Checkpoint | undefined {
  const headerBytes = 33
  const end = slot.readUInt32LE(4) + 8
  if (end > slot.length || end <= headerBytes || crc32(slot.subarray(4, end)) !== slot.readUInt32LE(0))
    return undefined
  return {
    generation: Number(slot.readBigUInt64LE(8)),
    batch: Number(slot.readBigUInt64LE(16)),
    metaPages: { bytes: slot.subarray(headerBytes, end), transaction: slot.readBigUInt64LE(24) },
    isClean: slot.readUInt8(32) === 1,
    isReplacing: false,
    store: Buffer.alloc(0),
    log: Buffer.alloc(0),
  }
}

/** The batches that follow `lastBatch` without a gap, in order. A record was `length of the changes: 4 · CRC-32 of
 *  all that follows: 4 · batch: 8` and the changes. */
export function* firstFormatBatches(
  disk: Disk,
  lastBatch: number,
): Iterable<{ readonly batch: number; readonly changes: readonly KeyChange[] }> {
  const files = redoFileNames.filter((name) => disk.exists(name)).map((name) => disk.open(name))
  const inOrder = files.toSorted((a, b) => firstBatch(a) - firstBatch(b))
  let next = lastBatch + 1
  for (const file of inOrder) {
    for (const { batch, payload } of recordsOf(file)) {
      if (batch < next) continue
      if (batch > next) break
      yield { batch, changes: readChanges(payload) }
      next++
    }
    file.close()
  }
}

function firstBatch(file: DiskFile): number {
  for (const { batch } of recordsOf(file)) return batch
  return Number.MAX_SAFE_INTEGER
}

function* recordsOf(file: DiskFile): Iterable<{ readonly batch: number; readonly payload: Buffer }> {
  const headerBytes = 16
  const size = file.size()
  const header = Buffer.allocUnsafe(headerBytes)
  let position = 0
  let expected: number | undefined
  while (position + headerBytes <= size) {
    file.read(header, position)
    const length = header.readUInt32LE(0)
    if (position + headerBytes + length > size) return
    const payload = Buffer.allocUnsafe(length)
    file.read(payload, position + headerBytes)
    if (crc32(payload, crc32(header.subarray(8))) !== header.readUInt32LE(4)) return
    const batch = Number(header.readBigUInt64LE(8))
    if (batch !== (expected ?? batch)) return
    yield { batch, payload }
    expected = batch + 1
    position += headerBytes + length
  }
}
