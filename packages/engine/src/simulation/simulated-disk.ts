import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDataFile, plainChange, type CheckedDataFile, type StoredValues } from '../store/lmdb/data-file.ts'
import type { Disk, DiskFile } from '../store/lmdb/disk.ts'
import type { KeyChange } from '../store/store.ts'
import type { SeededRandom } from './seeded-random.ts'
import { SimulatedFile, sectorsOf } from './simulated-file.ts'
import { SimulatedCrash, type SimulatedTime } from './simulated-time.ts'

/** The files of a folder, by name. */
export type DiskImage = ReadonlyMap<string, Buffer>

/** What a killed process leaves behind: the system knows what is not on disk yet, and may still lose it. */
class KilledImage extends Map<string, Buffer> {
  readonly namesSince: readonly ReadonlyMap<string, SimulatedFile>[]

  constructor(namesSince: readonly ReadonlyMap<string, SimulatedFile>[]) {
    super([...(namesSince.at(-1) ?? [])].map(([name, file]) => [name, Buffer.from(file.bytes)]))
    this.namesSince = namesSince
  }
}

export interface Faults {
  /** How likely a write, a sync or a commit fails. */
  readonly failure: number
  /** How likely a write finds the disk full; it stays so for a while. */
  readonly fullDisk: number
  /** How likely a file cannot be renamed or removed, or the names cannot be synced. */
  readonly names?: number
  /** How likely a write, a sync or a commit takes seconds. */
  readonly slowness?: number
}

/** A disk on which everything that can go wrong does, depending on the seed. The redo log and the checkpoint are in
 *  memory. LMDB needs a real file; after each of its commits, the pages that it has written are found by comparison. */
export class SimulatedDisk implements Disk {
  /** How much space the disk says is left. */
  leftBytes = Number.POSITIVE_INFINITY
  /** What LMDB itself has rejected. The store takes it for a failure of the disk, and may never show that pages were lost. */
  lmdbError: Error | undefined
  readonly #random: SeededRandom
  readonly #time: SimulatedTime
  readonly #faults: Faults
  readonly #folder: string
  #names: Map<string, SimulatedFile>
  /** The names as they were at the last sync, and after every change since then. */
  #namesSince: ReadonlyMap<string, SimulatedFile>[]
  /** Files that LMDB has open, and their real paths. */
  readonly #realPaths = new Map<SimulatedFile, string>()
  readonly #opened: CheckedDataFile[] = []
  /** Writes that were started and are not finished. */
  readonly #inFlight = new Set<{
    readonly file: SimulatedFile
    readonly bytes: Buffer
    readonly position: number
  }>()
  #fullWrites = 0
  /** Failures that a test has requested. */
  #asked: (Error | undefined)[] = []
  #syncsUntilFailure: number | undefined
  #count = 0

  constructor(image: DiskImage, folder: string, random: SeededRandom, time: SimulatedTime, faults: Faults) {
    this.#random = random
    this.#time = time
    this.#faults = faults
    this.#folder = folder
    this.#names = new Map([...image].map(([name, bytes]) => [name, new SimulatedFile(bytes)]))
    this.#namesSince = [this.#names]
    if (image instanceof KilledImage) this.#takeOver(image)
    mkdirSync(folder, { recursive: true })
  }

  open(name: string, synced?: 'everyWrite'): DiskFile {
    this.#time.step()
    return this.#handle(this.#fileOf(name), synced === 'everyWrite')
  }

  openData(name: string, values?: StoredValues): CheckedDataFile {
    this.#time.step()
    const file = this.#fileOf(name)
    const path = join(this.#folder, `${this.#count++}.mdb`)
    // LMDB fills an empty file, and wants no file where there is nothing.
    if (file.bytes.length > 0) writeFileSync(path, file.bytes)
    const data = openDataFile(path, values)
    this.#realPaths.set(file, path)
    this.#opened.push(data)
    this.#noticePages(file)
    return this.#faultyData(data, file)
  }

  exists(name: string): boolean {
    return this.#names.has(name)
  }

  rename(from: string, to: string): void {
    this.#stepOfNames('rename')
    const file = this.#names.get(from)
    if (file === undefined) throw new Error(`ENOENT: ${from}`)
    this.#changeNames((names) => {
      names.delete(from)
      names.set(to, file)
    })
  }

  remove(name: string): void {
    this.#stepOfNames('unlink')
    this.#changeNames((names) => names.delete(name))
  }

  syncNames(): void {
    this.#stepOfNames('fsync')
    this.#namesSince = [this.#names]
  }

  freeBytes(): number {
    return this.leftBytes
  }

  /** Makes the next writes fail, whatever the seed says, or those after some others. */
  failNext(message: string, count = 1, after = 0): void {
    this.#asked = Array.from({ length: after + count }, (_, index) =>
      index < after ? undefined : new Error(message),
    )
  }

  /** Makes the next sync fail, or one after some others. */
  failNextSync(after = 0): void {
    this.#syncsUntilFailure = after
  }

  /** What a process finds that is started after this one was killed. */
  afterKill(): DiskImage {
    this.#tearWritesInFlight()
    return new KilledImage(this.#namesSince)
  }

  /** What is on the disk when the power comes back. */
  afterPowerLoss(): DiskImage {
    this.#tearWritesInFlight()
    const names = this.#random.pick(this.#namesSince)
    return new Map([...names].map(([name, file]) => [name, file.afterPowerLoss(this.#random)]))
  }

  async dispose(): Promise<void> {
    for (const data of this.#opened) await data.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #takeOver({ namesSince }: KilledImage): void {
    const copies = new Map<SimulatedFile, SimulatedFile>()
    const copyOf = (file: SimulatedFile): SimulatedFile => {
      const copy = copies.get(file) ?? file.copy()
      copies.set(file, copy)
      return copy
    }
    this.#namesSince = namesSince.map((names) => new Map([...names].map(([name, file]) => [name, copyOf(file)])))
    this.#names = new Map(this.#namesSince.at(-1))
  }

  #fileOf(name: string): SimulatedFile {
    const known = this.#names.get(name)
    if (known !== undefined) return known
    const file = new SimulatedFile(Buffer.alloc(0))
    this.#changeNames((names) => names.set(name, file))
    return file
  }

  #stepOfNames(what: string): void {
    this.#time.step()
    if (this.#random.chance(this.#faults.names ?? 0)) throw new Error(`EIO: i/o error, ${what}`)
  }

  #changeNames(change: (names: Map<string, SimulatedFile>) => void): void {
    this.#names = new Map(this.#names)
    change(this.#names)
    this.#namesSince.push(this.#names)
  }

  #handle(file: SimulatedFile, everyWrite: boolean): DiskFile {
    const time = this.#time
    return {
      size: () => this.#bytesOf(file).length,
      read: (into, position) => this.#bytesOf(file).subarray(position).copy(into),
      write: (bytes, position) => this.#write(file, Buffer.from(bytes), position, everyWrite),
      sync: () => this.#sync(file),
      truncate: (bytes) => {
        time.step()
        file.truncate(bytes)
        this.#bringToLmdb(file)
      },
      close: () => undefined,
    }
  }

  async #write(file: SimulatedFile, bytes: Buffer, position: number, everyWrite: boolean): Promise<void> {
    const write = { file, bytes, position }
    this.#inFlight.add(write)
    await this.#inItsTime(() => {
      this.#inFlight.delete(write)
      const failure = this.#writeFailure()
      if (failure !== undefined) {
        this.#tear(write)
        throw failure
      }
      file.write(bytes, position)
      if (everyWrite) file.sync()
      this.#bringToLmdb(file)
    })
  }

  #sync(file: SimulatedFile): Promise<void> {
    return this.#inItsTime(() => {
      const isAsked = this.#syncsUntilFailure === 0
      if (this.#syncsUntilFailure !== undefined)
        this.#syncsUntilFailure = isAsked ? undefined : this.#syncsUntilFailure - 1
      if (isAsked || this.#random.chance(this.#faults.failure / 4)) {
        file.syncInVain(this.#random)
        throw new Error('EIO: i/o error, fdatasync')
      }
      file.sync()
    })
  }

  /** What a slow disk does may be overtaken by everything that comes later. */
  async #inItsTime<T>(run: () => T): Promise<T> {
    if (this.#random.chance(this.#faults.slowness ?? 0)) await this.#time.pause(this.#random.below(longestMs))
    return this.#time.later(run)
  }

  #writeFailure(): Error | undefined {
    const asked = this.#asked.shift()
    if (asked !== undefined) return asked
    if (this.#fullWrites > 0) {
      this.#fullWrites--
      return new Error('ENOSPC: no space left on device, write')
    }
    if (this.#random.chance(this.#faults.fullDisk)) {
      this.#fullWrites = this.#random.below(8)
      return new Error('ENOSPC: no space left on device, write')
    }
    return this.#random.chance(this.#faults.failure) ? new Error('EIO: i/o error, write') : undefined
  }

  /** All of it, or parts, or nothing has reached the file. */
  #tear({ file, bytes, position }: { file: SimulatedFile; bytes: Buffer; position: number }): void {
    const reaches = this.#random.pick([0, 0.5, 1, 1])
    for (const sector of sectorsOf(bytes, position)) {
      if (this.#random.chance(reaches)) file.write(sector.bytes, sector.position)
    }
  }

  #tearWritesInFlight(): void {
    for (const write of this.#inFlight) this.#tear(write)
    this.#inFlight.clear()
  }

  #faultyData(data: CheckedDataFile, file: SimulatedFile): CheckedDataFile {
    const commit = (changes: readonly KeyChange[], appended?: readonly KeyChange[]): void => {
      this.#time.step()
      const failure = this.#writeFailure()
      if (failure !== undefined) throw failure
      try {
        data.commitSync(changes, appended)
      } catch (error) {
        if (error instanceof Error) this.lmdbError ??= error
        throw error
      }
      this.#noticePages(file)
    }
    return {
      get: (key, at) => data.get(key, at),
      range: (bounds, visit, at) => data.range(bounds, visit, at),
      commit: (changes, appended) => this.#inItsTime(() => commit(changes, appended)),
      commitSync: commit,
      commitChecked: (changes) => this.#inItsTime(() => commit(changes.map(plainChange))),
      hold: () => {
        if (this.#time.hasStopped) throw new SimulatedCrash()
        return data.hold()
      },
      // What the process leaves open is closed with the disk.
      close: () => Promise.resolve(),
    }
  }

  #bytesOf(file: SimulatedFile): Buffer {
    if (this.#time.hasStopped) throw new SimulatedCrash()
    return file.bytes
  }

  /** Finds out what LMDB has written. */
  #noticePages(file: SimulatedFile): void {
    const path = this.#realPaths.get(file)
    if (path === undefined) return
    const now = readFileSync(path)
    const before = file.bytes
    for (let position = 0; position < now.length; position += pageBytes) {
      const page = now.subarray(position, position + pageBytes)
      if (!page.equals(before.subarray(position, position + pageBytes))) file.write(Buffer.from(page), position)
    }
  }

  /** Shows LMDB what we have written to its file. */
  #bringToLmdb(file: SimulatedFile): void {
    const path = this.#realPaths.get(file)
    if (path !== undefined) writeFileSync(path, file.bytes, { flag: 'r+' })
  }
}

const pageBytes = 4_096
const longestMs = 4_000
