/** What a shard takes and gives in a second. */
const writtenBytes = 1_048_576
const writtenRecords = 1_000
const readBytes = 2 * 1_048_576
const readRequests = 5

/** Counts what goes through each shard, in the server that it goes through, and says when the service would refuse.
 *  Like the service, it lets the request through that exceeds a second's bytes when reading, and refuses the next. */
export class ShardThroughput {
  readonly #nowMs: () => number
  readonly #shards = new Map<string, ShardSecond>()

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** Whether a record of this size may be written now; it counts if it may. */
  takesWrite(streamId: number, shard: number, bytes: number): boolean {
    const second = this.#secondOf(streamId, shard)
    if (second.writtenRecords + 1 > writtenRecords || second.writtenBytes + bytes > writtenBytes) return false
    second.writtenRecords++
    second.writtenBytes += bytes
    return true
  }

  takesRead(streamId: number, shard: number): boolean {
    const second = this.#secondOf(streamId, shard)
    if (second.readRequests >= readRequests || second.readBytes >= readBytes) return false
    second.readRequests++
    return true
  }

  /** What a read has returned. More than a second's worth counts against those that follow. */
  charge(streamId: number, shard: number, bytes: number): void {
    this.#secondOf(streamId, shard).readBytes += bytes
  }

  #secondOf(streamId: number, shard: number): ShardSecond {
    const number = Math.floor(this.#nowMs() / 1_000)
    const name = `${streamId}/${shard}`
    const known = this.#shards.get(name)
    if (known?.number === number) return known
    if (this.#shards.size > mostShards) this.#shards.clear()
    const passed = known === undefined ? 0 : number - known.number
    const made = {
      number,
      writtenBytes: 0,
      writtenRecords: 0,
      readRequests: 0,
      readBytes: Math.max(0, (known?.readBytes ?? 0) - passed * readBytes),
    }
    this.#shards.set(name, made)
    return made
  }
}

interface ShardSecond {
  readonly number: number
  writtenBytes: number
  writtenRecords: number
  readRequests: number
  readBytes: number
}

const mostShards = 10_000
