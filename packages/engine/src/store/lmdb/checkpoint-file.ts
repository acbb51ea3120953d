import { closeSync, constants, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from '../crc32.ts'
import { syncFile, writeAll } from './file-writes.ts'
import type { MetaPages } from './meta-pages.ts'

/** A state of the data file that is on disk as a whole. */
export interface Checkpoint {
  /** The last batch of the redo log that it holds. */
  readonly batch: number
  readonly metaPages: MetaPages
  /** Whether the store was closed in this state, so that there is nothing to restore. */
  readonly isClean: boolean
}

/** Remembers the latest checkpoint. Two slots take turns, so that one is whole whatever happens.
 *  ON DISK, integers little-endian: a slot of 256 KB is `CRC-32 of all that follows: 4 · length of what follows the length: 4 · generation: 8 ·
 *  batch: 8 · LMDB's transaction: 8 · clean: 1` and LMDB's two meta pages. */
export class CheckpointFile {
  readonly #descriptor: number
  #generation: bigint
  readonly latest: Checkpoint | undefined

  constructor(folder: string) {
    this.#descriptor = openSync(join(folder, 'checkpoint'), constants.O_RDWR | constants.O_CREAT)
    const slots = [readSlot(this.#descriptor, 0), readSlot(this.#descriptor, 1)]
    const newest = slots.reduce((a, b) => ((b?.generation ?? -1n) > (a?.generation ?? -1n) ? b : a))
    this.#generation = newest?.generation ?? 0n
    this.latest = newest?.checkpoint
  }

  /** Settles when the checkpoint is on disk. */
  async write({ batch, metaPages, isClean }: Checkpoint): Promise<void> {
    this.#generation++
    const slot = Buffer.alloc(headerBytes + metaPages.bytes.length)
    slot.writeUInt32LE(slot.length - 8, 4)
    slot.writeBigUInt64LE(this.#generation, 8)
    slot.writeBigUInt64LE(BigInt(batch), 16)
    slot.writeBigUInt64LE(metaPages.transaction, 24)
    slot.writeUInt8(isClean ? 1 : 0, 32)
    slot.set(metaPages.bytes, headerBytes)
    slot.writeUInt32LE(crc32(slot.subarray(4)), 0)
    await writeAll(this.#descriptor, slot, slotBytes * Number(this.#generation & 1n))
    await syncFile(this.#descriptor)
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}

const headerBytes = 33
/** Room for the two meta pages of any page size that LMDB knows. */
const slotBytes = 256 * 1024

function readSlot(
  descriptor: number,
  index: number,
): { readonly generation: bigint; readonly checkpoint: Checkpoint } | undefined {
  const slot = Buffer.alloc(slotBytes)
  if (readSync(descriptor, slot, 0, slotBytes, slotBytes * index) < headerBytes) return undefined
  const end = slot.readUInt32LE(4) + 8
  if (end > slotBytes || end <= headerBytes || crc32(slot.subarray(4, end)) !== slot.readUInt32LE(0))
    return undefined
  const checkpoint: Checkpoint = {
    batch: Number(slot.readBigUInt64LE(16)),
    metaPages: { bytes: slot.subarray(headerBytes, end), transaction: slot.readBigUInt64LE(24) },
    isClean: slot.readUInt8(32) === 1,
  }
  return { generation: slot.readBigUInt64LE(8), checkpoint }
}
