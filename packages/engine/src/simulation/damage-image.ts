import { CheckpointFile } from '../store/lmdb/checkpoint-file.ts'
import type { Disk } from '../store/lmdb/disk.ts'
import { redoFileNames } from '../store/lmdb/redo-log.ts'
import { findBatches, type BatchPlace } from '../store/lmdb/redo-records.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { DiskImage } from './simulated-disk.ts'

/** Flips a bit of the redo log or of the checkpoint, or removes one of the files. The last record of the log is left
 *  alone: damage to it looks like an interrupted write. */
export function damageImage(image: DiskImage, random: SeededRandom): DiskImage | undefined {
  const name = random.pick([...redoFileNames, 'checkpoint', 'checkpoint'])
  const bytes = image.get(name)
  if (bytes === undefined || bytes.length === 0) return undefined
  const damaged = new Map(image)
  if (random.chance(0.2)) {
    damaged.delete(name)
    return damaged
  }
  const last = lastRecord(image)
  const slotAt = name === 'checkpoint' && random.chance(0.5) ? 256 * 1024 : 0
  const position = Math.min(bytes.length - 1, slotAt + random.below(random.pick([200, 9_000])))
  if (last?.name === name && position >= last.position && position < last.position + last.bytes) return undefined
  const changed = Buffer.from(bytes)
  changed.writeUInt8(changed.readUInt8(position) ^ (1 << random.below(8)), position)
  damaged.set(name, changed)
  return damaged
}

function lastRecord(image: DiskImage): BatchPlace | undefined {
  const disk = diskOf(image)
  const { latest } = new CheckpointFile(disk)
  if (latest === undefined) return undefined
  return findBatches(disk, latest.log, latest.batch, latest.generation).places.at(-1)
}

/** Read-only. */
function diskOf(image: DiskImage): Disk {
  const refuse = (): never => {
    throw new Error('this disk is for looking only')
  }
  return {
    exists: (name) => image.has(name),
    open: (name) => ({
      size: () => image.get(name)?.length ?? 0,
      read: (into, position) => image.get(name)?.subarray(position).copy(into) ?? 0,
      write: refuse,
      sync: refuse,
      truncate: refuse,
      close: () => undefined,
    }),
    openData: refuse,
    rename: refuse,
    remove: refuse,
    syncNames: refuse,
    freeBytes: refuse,
  }
}
