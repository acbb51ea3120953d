const emptyBuffer = Buffer.alloc(0)

/** The bytes that have arrived and are not yet consumed: `bytes` from `start` to `end`.
 *  A chunk that arrives on an empty window is used in place; only what spans chunks is copied, and the copy
 *  doubles in size, so that a request that comes byte by byte costs linear time. */
export class ByteWindow {
  bytes: Buffer = emptyBuffer
  start = 0
  end = 0
  private owned = false

  push(chunk: Buffer): void {
    if (this.start === this.end) {
      this.bytes = chunk
      this.start = 0
      this.end = chunk.length
      this.owned = false
      return
    }
    // Slices that were handed out stay valid: bytes are only ever added behind `end`.
    if (!this.owned || this.end + chunk.length > this.bytes.length) this.grow(chunk.length)
    chunk.copy(this.bytes, this.end)
    this.end += chunk.length
  }

  get length(): number {
    return this.end - this.start
  }

  take(lengthBytes: number): Buffer {
    const taken = this.bytes.subarray(this.start, this.start + lengthBytes)
    this.start += lengthBytes
    return taken
  }

  private grow(moreBytes: number): void {
    const heldBytes = this.end - this.start
    const grown = Buffer.allocUnsafeSlow(Math.max(1024, 2 * (heldBytes + moreBytes)))
    this.bytes.copy(grown, 0, this.start, this.end)
    this.bytes = grown
    this.start = 0
    this.end = heldBytes
    this.owned = true
  }
}
