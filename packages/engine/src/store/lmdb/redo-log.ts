import type { KeyChange } from '../store.ts'
import type { Disk, DiskFile } from './disk.ts'
import { RecordWriter } from './redo-record.ts'

/** Where acknowledged writes are safe until the data file contains them: one sequential write for a whole batch. Two
 *  files alternate. While one is written, the batches of the other reach the disk with the data file (see
 *  journal.ts), after which it is reused in place: a file that does not grow is synced without its metadata. ON DISK:
 *  a file begins with eight bytes that name its kind, and the eight bytes of the store that it belongs to. Records
 *  follow (redo-record.ts), and after the last one whatever is left of the file's previous use. */
export class RedoLog {
  readonly #files: readonly [DiskFile, DiskFile]
  readonly #writer = new RecordWriter()
  #current: 0 | 1 = 0
  #position = 0
  readonly #log: Buffer

  constructor(disk: Disk, log: Buffer) {
    this.#files = [disk.open(redoFileNames[0], 'everyWrite'), disk.open(redoFileNames[1], 'everyWrite')]
    this.#log = log
  }

  /** How much the current file contains. */
  get bytes(): number {
    return this.#position
  }

  /** Resolves when the batch is on disk. One batch at a time. After a failure nothing more may be appended to the
   *  file: it is unknown how much was written. */
  async append(batch: number, generation: number, changes: readonly KeyChange[]): Promise<void> {
    const record = this.#writer.write({ log: this.#log, batch, generation }, changes)
    const file = this.#files[this.#current]
    if (this.#position === 0 && file.size() > largeFile) file.truncate(redoHeaderBytes)
    await file.write(record, redoHeaderBytes + this.#position)
    this.#position += record.length
  }

  /** Continues in the other file. Its batches stay until the next one is appended: they are no longer needed for
   *  writing, but after a crash they are needed until what was read from them is on disk elsewhere. */
  switchFile(): void {
    this.#current = this.#current === 0 ? 1 : 0
    this.#position = 0
  }

  close(): void {
    for (const file of this.#files) file.close()
  }
}

export const redoFileNames = ['redo-0', 'redo-1'] as const
export const redoHeaderBytes = 16

/** Memory for a burst is not kept forever. */
const largeFile = 64 * 1024 * 1024

/** ON DISK. */
const redoMagic = Buffer.from('HRREDO2\n', 'latin1')

/** Resolves when there are two empty files for this store. */
export async function createRedoFiles(disk: Disk, store: Buffer): Promise<void> {
  for (const name of redoFileNames) {
    const file = disk.open(name, 'everyWrite')
    file.truncate(0)
    await file.write(Buffer.concat([redoMagic, store]), 0)
    file.close()
  }
}

/** Whether the file exists and belongs to the store. */
export function isRedoFileOf(disk: Disk, name: string, store: Buffer): boolean {
  if (!disk.exists(name)) return false
  const file = disk.open(name)
  const header = Buffer.alloc(redoHeaderBytes)
  file.read(header, 0)
  file.close()
  return header.equals(Buffer.concat([redoMagic, store]))
}
