const emptyBuffer = Buffer.alloc(0)

/** Less than this is not worth copying out of a larger buffer. */
const largeBytes = 64 * 1024

/** The bytes that have arrived and are not yet consumed: `bytes` from `start` to `end`. A chunk that arrives at an
 *  empty window is used in place; only what spans chunks is copied, and the copy doubles in size, so that a request
 *  that arrives byte by byte takes linear time. */
export class ByteWindow {
  bytes: Buffer = emptyBuffer
  start = 0
  end = 0
  /** How many bytes are expected, if known: no more room is allocated than they need. */
  wantedBytes = 0
  #owned = false

  push(chunk: Buffer): void {
    if (this.start === this.end) {
      this.bytes = chunk
      this.start = 0
      this.end = chunk.length
      this.#owned = false
      return
    }
    // Slices that were returned stay valid: bytes are only ever added after `end`.
    if (!this.#owned || this.end + chunk.length > this.bytes.length) this.#grow(chunk.length)
    chunk.copy(this.bytes, this.end)
    this.end += chunk.length
  }

  get length(): number {
    return this.end - this.start
  }

  /** The memory that is kept for the bytes. */
  get heldBytes(): number {
    return this.bytes.length
  }

  take(lengthBytes: number): Buffer {
    const taken = this.bytes.subarray(this.start, this.start + lengthBytes)
    this.start += lengthBytes
    this.letGo()
    return taken
  }

  /** What was returned belongs to its user: a connection that waits for its next request keeps nothing of the last. */
  letGo(): void {
    const left = this.length
    if (left === 0) {
      this.bytes = emptyBuffer
      this.start = 0
      this.end = 0
    } else if (this.bytes.length > largeBytes && left < this.bytes.length / 2) {
      this.#move(Buffer.allocUnsafeSlow(left))
    }
  }

  #grow(moreBytes: number): void {
    const neededBytes = this.length + moreBytes
    const roomBytes = Math.max(1024, 2 * neededBytes)
    this.#move(
      Buffer.allocUnsafeSlow(
        this.wantedBytes > 0 ? Math.max(neededBytes, Math.min(roomBytes, this.wantedBytes)) : roomBytes,
      ),
    )
  }

  #move(target: Buffer): void {
    const heldBytes = this.length
    this.bytes.copy(target, 0, this.start, this.end)
    this.bytes = target
    this.start = 0
    this.end = heldBytes
    this.#owned = true
  }
}
