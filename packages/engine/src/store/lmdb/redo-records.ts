import type { KeyChange } from '../store.ts'
import type { Disk, DiskFile } from './disk.ts'
import { redoFileNames, redoHeaderBytes } from './redo-log.ts'
import { readChanges, readRecord, recordBytes, recordHeaderBytes, type RedoRecord } from './redo-record.ts'

/** Where in the redo files the batches of a log are that came after a checkpoint. */
export interface FoundBatches {
  readonly places: readonly BatchPlace[]
  /** The first batch that is missing although later ones exist: the log is damaged. */
  readonly missing: number | undefined
  /** A checkpoint that was on disk, and is newer than the requested one. */
  readonly newerGeneration: number | undefined
}

export interface BatchPlace {
  readonly name: string
  readonly position: number
  readonly bytes: number
  readonly batch: number
}

/** Scans both files completely. Batches are written one after another, so only the last can be incomplete: if one is
 *  incomplete and a later one is not, bytes were changed or lost on disk. */
export function findBatches(disk: Disk, log: Buffer, afterBatch: number, generation: number): FoundBatches {
  const byBatch = new Map<number, BatchPlace>()
  let newest = generation
  for (const name of redoFileNames) {
    if (!disk.exists(name)) continue
    const file = disk.open(name)
    for (const { record, position } of recordsOf(file, log)) {
      newest = Math.max(newest, record.generation)
      if (!record.log.equals(log) || record.batch <= afterBatch) continue
      const bytes = recordHeaderBytes + record.payload.length
      byBatch.set(record.batch, { name, position, bytes, batch: record.batch })
    }
    file.close()
  }
  const places = [...byBatch.values()].toSorted((a, b) => a.batch - b.batch)
  const gap = places.findIndex(({ batch }, index) => batch !== afterBatch + 1 + index)
  return {
    places: gap === -1 ? places : places.slice(0, gap),
    missing: gap === -1 ? undefined : afterBatch + 1 + gap,
    newerGeneration: newest > generation ? newest : undefined,
  }
}

/** The highest generation of the records that the files begin with: the first that was written after a store was opened. */
export function firstGeneration(disk: Disk): number {
  let highest = -1
  for (const name of redoFileNames) {
    if (!disk.exists(name)) continue
    const file = disk.open(name)
    highest = Math.max(highest, recordAt(file, redoHeaderBytes)?.generation ?? -1)
    file.close()
  }
  return highest
}

export function readBatch(disk: Disk, { name, position, bytes }: BatchPlace): readonly KeyChange[] {
  const file = disk.open(name)
  const record = Buffer.allocUnsafe(bytes)
  file.read(record, position)
  file.close()
  return readChanges(record.subarray(recordHeaderBytes))
}

interface FoundRecord {
  readonly record: RedoRecord
  readonly position: number
}

/** Records follow each other. After one that is incomplete, those of the log are searched for by its name. */
function* recordsOf(file: DiskFile, log: Buffer): Iterable<FoundRecord> {
  let position: number | undefined = redoHeaderBytes
  while (position !== undefined) {
    const record = recordAt(file, position)
    if (record === undefined) {
      position = findBytes(file, log, position + 1)
      continue
    }
    yield { record, position }
    position += recordHeaderBytes + record.payload.length
  }
}

function recordAt(file: DiskFile, position: number): RedoRecord | undefined {
  const size = file.size()
  if (position + recordHeaderBytes > size) return undefined
  const header = Buffer.allocUnsafe(recordHeaderBytes)
  file.read(header, position)
  const bytes = recordBytes(header)
  if (position + bytes > size) return undefined
  const whole = Buffer.allocUnsafe(bytes)
  file.read(whole, position)
  return readRecord(whole)
}

const windowBytes = 1024 * 1024

function findBytes(file: DiskFile, wanted: Buffer, from: number): number | undefined {
  const window = Buffer.allocUnsafe(windowBytes)
  for (let start = from; ; start += windowBytes - wanted.length + 1) {
    const count = file.read(window, start)
    if (count < wanted.length) return undefined
    const found = window.subarray(0, count).indexOf(wanted)
    if (found !== -1) return start + found
  }
}
