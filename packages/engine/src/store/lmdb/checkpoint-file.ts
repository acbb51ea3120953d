import { crc32 } from '../crc32.ts'
import type { Disk, DiskFile } from './disk.ts'
import { readFirstCheckpointSlot } from './first-format.ts'
import type { MetaPages } from './meta-pages.ts'

/** A state of the data file that is completely on disk. */
export interface Checkpoint {
  /** Increases with every checkpoint of a folder. */
  readonly generation: number
  /** The last batch of the redo log that it contains. */
  readonly batch: number
  readonly metaPages: MetaPages
  /** Whether the store was closed in this state, so that there is nothing to restore. */
  readonly isClean: boolean
  /** Whether `data.mdb.new` is complete, and must replace `data.mdb`. */
  readonly isReplacing: boolean
  /** Identifies the folder, so that its files cannot be mixed up with those of another. Empty in folders of format 1. */
  readonly store: Buffer
  /** Identifies the redo log that continues from here. Empty in folders of format 1. */
  readonly log: Buffer
}

/** Stores the latest checkpoint. Two slots alternate, so that one is always complete. ON DISK, integers
 *  little-endian: a slot of 256 KB is `HRCHECK3: 8 · CRC-32 of all that follows: 4 · length of what follows the
 *  length: 4 · generation: 8 · batch: 8 · LMDB's transaction: 8 · flags (1 clean, 2 replacing): 1 · store: 8 · log:
 *  8` and LMDB's two meta pages. */
export class CheckpointFile {
  readonly #file: DiskFile
  /** The slot with the latest checkpoint that is known to be on disk; the other one may be overwritten. */
  #latestSlot: 0 | 1
  readonly latest: Checkpoint | undefined
  /** The highest generation that was ever tried. */
  #generation: number
  /** The slots that may let `data.mdb.new` replace the data file. */
  readonly #mayReplace: [boolean, boolean]

  constructor(disk: Disk) {
    this.#file = disk.open('checkpoint')
    const [first, second] = [readSlot(this.#file, 0), readSlot(this.#file, 1)]
    this.#latestSlot = (second?.generation ?? -1) > (first?.generation ?? -1) ? 1 : 0
    this.latest = this.#latestSlot === 1 ? second : first
    this.#generation = this.latest?.generation ?? 0
    this.#mayReplace = [first?.isReplacing ?? false, second?.isReplacing ?? false]
  }

  /** Resolves with its generation when the checkpoint is on disk. If that fails, the previous checkpoint counts, or
   *  perhaps this one: nothing that either of them needs may be overwritten until another attempt has succeeded. */
  async write(checkpoint: Omit<Checkpoint, 'generation'>): Promise<number> {
    const generation = ++this.#generation
    const slot = this.#latestSlot === 0 ? 1 : 0
    this.#mayReplace[slot] ||= checkpoint.isReplacing
    await this.#file.write(encodeSlot({ ...checkpoint, generation }), slotBytes * slot)
    await this.sync()
    this.#latestSlot = slot
    this.#mayReplace[slot] = checkpoint.isReplacing
    return generation
  }

  /** Writes it to both slots, so that none refers to the previous state. */
  async writeBoth(checkpoint: Omit<Checkpoint, 'generation'>): Promise<number> {
    await this.write(checkpoint)
    return this.write(checkpoint)
  }

  /** Removes what an interrupted write has left, if there is no checkpoint: parts of it and of the next could together
   *  look like one. */
  async clear(): Promise<void> {
    if (this.#file.size() === 0) return
    this.#file.truncate(0)
    await this.sync()
  }

  /** Resolves when its contents are on disk. */
  sync(): Promise<void> {
    return this.#file.sync()
  }

  /** Whether there may be a slot that would take a `data.mdb.new` for complete, if it counted. */
  get mayReplace(): boolean {
    return this.#mayReplace.includes(true)
  }

  close(): void {
    this.#file.close()
  }
}

const magic = Buffer.from('HRCHECK3', 'latin1')
/** In format 2, checksums of values did not cover their keys. Such values may still be in a folder of format 3, but older
 *  software would take those of format 3 for damaged. */
const secondMagic = Buffer.from('HRCHECK2', 'latin1')
const headerBytes = 57
/** Room for the two meta pages of any page size that LMDB knows. */
const slotBytes = 256 * 1024

function encodeSlot({ generation, batch, metaPages, isClean, isReplacing, store, log }: Checkpoint): Buffer {
  const slot = Buffer.alloc(headerBytes + metaPages.bytes.length)
  slot.set(magic)
  slot.writeUInt32LE(slot.length - 16, 12)
  slot.writeBigUInt64LE(BigInt(generation), 16)
  slot.writeBigUInt64LE(BigInt(batch), 24)
  slot.writeBigUInt64LE(metaPages.transaction, 32)
  slot.writeUInt8((isClean ? 1 : 0) + (isReplacing ? 2 : 0), 40)
  slot.set(store, 41)
  slot.set(log, 49)
  slot.set(metaPages.bytes, headerBytes)
  slot.writeUInt32LE(crc32(slot.subarray(12)), 8)
  return slot
}

function readSlot(file: DiskFile, index: number): Checkpoint | undefined {
  const slot = Buffer.alloc(slotBytes)
  const count = file.read(slot, slotBytes * index)
  if (count < headerBytes) return undefined
  if (![magic, secondMagic].some((known) => known.equals(slot.subarray(0, 8)))) return readFirstCheckpointSlot(slot)
  const end = slot.readUInt32LE(12) + 16
  if (end > count || end <= headerBytes || crc32(slot.subarray(12, end)) !== slot.readUInt32LE(8)) return undefined
  return {
    generation: Number(slot.readBigUInt64LE(16)),
    batch: Number(slot.readBigUInt64LE(24)),
    metaPages: { bytes: slot.subarray(headerBytes, end), transaction: slot.readBigUInt64LE(32) },
    isClean: (slot.readUInt8(40) & 1) !== 0,
    isReplacing: (slot.readUInt8(40) & 2) !== 0,
    store: slot.subarray(41, 49),
    log: slot.subarray(49, 57),
  }
}
