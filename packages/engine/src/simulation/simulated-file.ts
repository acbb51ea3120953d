import type { SeededRandom } from './seeded-random.ts'

/** A change of a file that may not be on disk yet. */
type Change =
  | { readonly kind: 'write'; readonly bytes: Buffer; readonly position: number }
  | { readonly kind: 'truncate'; readonly bytes: number }

/** The bytes of a file as programs see them, and as the disk has them. */
export class SimulatedFile {
  /** What is certainly on disk. */
  #durable: Buffer
  #changes: Change[] = []
  #now: Buffer

  constructor(bytes: Buffer) {
    this.#durable = ownCopy(bytes)
    this.#now = ownCopy(bytes)
  }

  /** As another program finds it, including everything that may not be on disk. What a failed sync has lost counts as
   *  not synced: recovery writes it again, with the same bytes, which no comparison would notice. */
  copy(): SimulatedFile {
    const copy = new SimulatedFile(this.#now)
    if (this.#durable.equals(this.#now)) return copy
    copy.#durable = ownCopy(this.#durable)
    copy.#changes = [
      { kind: 'truncate', bytes: Math.min(this.#durable.length, this.#now.length) },
      { kind: 'write', bytes: ownCopy(this.#now), position: 0 },
    ]
    return copy
  }

  get bytes(): Buffer {
    return this.#now
  }

  write(bytes: Buffer, position: number): void {
    this.#change({ kind: 'write', bytes, position })
  }

  truncate(bytes: number): void {
    this.#change({ kind: 'truncate', bytes })
  }

  sync(): void {
    // Not everything that programs see: what an earlier sync has lost stays lost until it is written again.
    for (const change of this.#changes) this.#durable = applied(this.#durable, change)
    this.#changes = []
  }

  /** A failed sync: the system considers what was written done, whether it is on disk or not. */
  syncInVain(random: SeededRandom): void {
    this.#durable = this.#survivors(random)
    this.#changes = []
  }

  /** What remains of it after a loss of power. */
  afterPowerLoss(random: SeededRandom): Buffer {
    return this.#survivors(random)
  }

  #change(change: Change): void {
    this.#changes.push(change)
    this.#now = applied(this.#now, change)
  }

  /** The file's size changes in order. Sectors reach the disk in any order, or not at all. */
  #survivors(random: SeededRandom): Buffer {
    let bytes = ownCopy(this.#durable)
    const reaches = random.pick([0, 0.3, 0.7, 1])
    for (const change of this.#changes) {
      if (change.kind === 'truncate') {
        if (!random.chance(reaches)) return bytes
        bytes = applied(bytes, change)
        continue
      }
      for (const sector of sectorsOf(change.bytes, change.position)) {
        if (random.chance(reaches)) bytes = applied(bytes, { kind: 'write', ...sector })
      }
    }
    return bytes
  }
}

const sectorBytes = 512

/** The parts of a write that reach the disk as a whole or not at all. */
export function* sectorsOf(
  bytes: Buffer,
  position: number,
): Iterable<{ readonly bytes: Buffer; readonly position: number }> {
  let start = 0
  while (start < bytes.length) {
    const end = Math.min(bytes.length, start + sectorBytes - ((position + start) % sectorBytes))
    yield { bytes: bytes.subarray(start, end), position: position + start }
    start = end
  }
}

/** The file after the change, in the same memory if there is room. */
function applied(file: Buffer, change: Change): Buffer {
  if (change.kind === 'truncate') {
    file.fill(0, change.bytes)
    return resized(file, change.bytes)
  }
  const after = resized(file, Math.max(file.length, change.position + change.bytes.length))
  change.bytes.copy(after, change.position)
  return after
}

/** What lies behind the end is always zero. */
function resized(file: Buffer, bytes: number): Buffer {
  if (bytes <= file.length) return file.subarray(0, bytes)
  if (bytes <= file.buffer.byteLength - file.byteOffset) return Buffer.from(file.buffer, file.byteOffset, bytes)
  const larger = Buffer.from(new ArrayBuffer(2 * bytes))
  file.copy(larger)
  return larger.subarray(0, bytes)
}

/** In its own memory, which is not shared with anything that could be mistaken for free room. */
function ownCopy(bytes: Buffer): Buffer {
  const copy = Buffer.from(new ArrayBuffer(bytes.length))
  bytes.copy(copy)
  return copy
}
