import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises'

export interface AuditFileOptions {
  readonly path: string
  /** A file that has reached this size is set aside, and a new one begun. */
  readonly mostBytes: number
  /** How many files there are at most, the current one included. */
  readonly mostFiles: number
  /** What waits to be written at most, in bytes; further lines are dropped. */
  readonly mostWaitingBytes?: number | undefined
  /** How long after a failure it is tried again. */
  readonly retryMs?: number | undefined
  /** Told once when lines can no longer be written, and once when they can be again. */
  readonly onTrouble: (message: string) => void
}

/** Lines in files, written behind the back of whoever adds them: adding never waits and never fails. If the disk cannot take them, they wait in
 *  memory up to a bound, and are then counted and dropped. */
export class AuditFile {
  writtenLines = 0
  droppedLines = 0
  readonly #options: AuditFileOptions
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #handle: FileHandle | undefined
  #inode = 0
  #sizeBytes = 0
  #writing: Promise<void> | undefined
  #retry: NodeJS.Timeout | undefined
  #isFailing = false
  #droppedSinceTrouble = 0
  #isClosed = false

  constructor(options: AuditFileOptions) {
    this.#options = options
  }

  /** Opens the file, so that a path that cannot be written is known at the start. */
  async open(): Promise<void> {
    await this.#current()
  }

  add(line: string): void {
    const bytes = Buffer.from(`${line}\n`)
    if (this.#isClosed || this.#waitingBytes + bytes.length > (this.#options.mostWaitingBytes ?? 8 * 1024 * 1024)) {
      this.droppedLines++
      this.#droppedSinceTrouble++
      this.#tell('More events arrive than can be written.')
      return
    }
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    if (this.#retry === undefined) this.#writing ??= this.#write()
  }

  /** Writes what waits, as far as that can be done. */
  async close(): Promise<void> {
    clearTimeout(this.#retry)
    this.#retry = undefined
    await (this.#writing ?? this.#write())
    this.#isClosed = true
    clearTimeout(this.#retry)
    this.droppedLines += this.#waiting.length
    await this.#handle?.close()
    this.#handle = undefined
  }

  /** Never rejects. */
  async #write(): Promise<void> {
    // Lines that are added in the same turn are written together.
    await new Promise((resolve) => setImmediate(resolve))
    try {
      while (this.#waiting.length > 0) await this.#writeSome()
      this.#recovered()
    } catch (error) {
      this.#tell(error instanceof Error ? error.message : String(error))
      await this.#handle?.close().catch(() => undefined)
      this.#handle = undefined
      this.#retry = setTimeout(() => {
        this.#retry = undefined
        this.#writing ??= this.#write()
      }, this.#options.retryMs ?? 1000).unref()
    } finally {
      this.#writing = undefined
    }
  }

  async #writeSome(): Promise<void> {
    const handle = await this.#current()
    const taken = this.#takeUpTo(Math.max(1, this.#options.mostBytes - this.#sizeBytes))
    const bytes = Buffer.concat(taken)
    let done = 0
    try {
      while (done < bytes.length) {
        const { bytesWritten } = await handle.write(bytes, done, bytes.length - done)
        done += bytesWritten
        this.#sizeBytes += bytesWritten
      }
      this.writtenLines += taken.length
    } catch (error) {
      this.#putBack(taken, done)
      throw error
    }
  }

  /** At least one line, so that one that is larger than a file may be is written too. */
  #takeUpTo(mostBytes: number): Buffer[] {
    let bytes = 0
    let count = 0
    while (
      count < this.#waiting.length &&
      (count === 0 || bytes + (this.#waiting[count]?.length ?? 0) <= mostBytes)
    ) {
      bytes += this.#waiting[count]?.length ?? 0
      count++
    }
    this.#waitingBytes -= bytes
    return this.#waiting.splice(0, count)
  }

  /** A line of which a part is written is written again as a whole; the next opening ends the part with a line break. */
  #putBack(taken: Buffer[], writtenBytes: number): void {
    let before = 0
    const left = taken.filter((line) => {
      before += line.length
      return before > writtenBytes
    })
    this.writtenLines += taken.length - left.length
    this.#waiting.unshift(...left)
    this.#waitingBytes += left.reduce((sum, line) => sum + line.length, 0)
  }

  /** The file to write to: not one that is full, nor one that somebody has moved away. */
  async #current(): Promise<FileHandle> {
    const { path, mostBytes } = this.#options
    if (this.#handle !== undefined) {
      const found = await stat(path).catch(() => undefined)
      if (found?.ino === this.#inode && this.#sizeBytes < mostBytes) return this.#handle
      await this.#handle.close()
      this.#handle = undefined
      if (found?.ino === this.#inode) await this.#rotate()
    }
    // 'a+': the end of what is there is read.
    const handle = await open(path, 'a+', 0o600)
    try {
      const { ino, size } = await handle.stat()
      this.#inode = ino
      this.#sizeBytes = size
      if (size > 0 && !(await endsInLineBreak(handle, size))) {
        await handle.write('\n')
        this.#sizeBytes++
      }
    } catch (error) {
      await handle.close()
      throw error
    }
    this.#handle = handle
    return handle
  }

  async #rotate(): Promise<void> {
    const { path, mostFiles } = this.#options
    await rm(`${path}.${mostFiles - 1}`, { force: true })
    for (let number = mostFiles - 2; number >= 0; number--) {
      const from = number === 0 ? path : `${path}.${number}`
      if (mostFiles === 1) await rm(from, { force: true })
      else await rename(from, `${path}.${number + 1}`).catch(ignoreMissing)
    }
    if (mostFiles === 1) await rm(path, { force: true })
  }

  #tell(why: string): void {
    if (this.#isFailing) return
    this.#isFailing = true
    this.#options.onTrouble(
      `The audit log ${this.#options.path} cannot be written: ${why} Events wait in memory; if there are too many, they are dropped and counted (hashrange_audit_dropped_total).`,
    )
  }

  #recovered(): void {
    if (!this.#isFailing) return
    this.#isFailing = false
    const lost = this.#droppedSinceTrouble
    this.#droppedSinceTrouble = 0
    this.#options.onTrouble(
      `The audit log ${this.#options.path} is written again. ${lost === 0 ? 'No events were' : `${lost} events were`} dropped.`,
    )
  }
}

async function endsInLineBreak(handle: FileHandle, size: number): Promise<boolean> {
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] === 0x0a
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}
