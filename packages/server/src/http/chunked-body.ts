import type { ByteWindow } from './byte-window.ts'
import { badRequest, HttpRefusal } from './http-refusal.ts'

const chunkLineBytes = 256

/** A body in chunked transfer encoding, decoded as it arrives. `next` of the caller's loop is `advance`. */
export class ChunkedBody {
  readonly #maxBytes: number
  #bytes = Buffer.allocUnsafeSlow(1024)
  #lengthBytes = 0
  #chunkBytesLeft = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Starts a chunk from its size line; true if it is the last, empty one. Extensions are skipped. */
  readSizeLine(line: Buffer): boolean {
    if (line.length > chunkLineBytes) throw badRequest('A chunk size line is too long.')
    let size = 0
    let index = 0
    for (; index < line.length; index++) {
      const digit = hexDigit(line[index] ?? 0)
      if (digit < 0) break
      size = size * 16 + digit
      if (size > this.#maxBytes) throw bodyTooLarge(this.#maxBytes)
    }
    if (index === 0 || (index < line.length && !isExtensionStart(line[index])))
      throw badRequest('A chunk size is malformed.')
    if (this.#lengthBytes + size > this.#maxBytes) throw bodyTooLarge(this.#maxBytes)
    this.#chunkBytesLeft = size
    return size === 0
  }

  /** Consumes what has arrived of the current chunk; true once all of it and its line end have. */
  readData(window: ByteWindow): boolean {
    const taken = Math.min(this.#chunkBytesLeft, window.length)
    this.#append(window.take(taken))
    this.#chunkBytesLeft -= taken
    if (this.#chunkBytesLeft > 0 || window.length < 2) return false
    const lineEnd = window.take(2)
    if (lineEnd[0] !== 0x0d || lineEnd[1] !== 0x0a) throw badRequest('A chunk is longer than its size.')
    return true
  }

  /** The memory that is kept for the body. */
  get heldBytes(): number {
    return this.#bytes.length
  }

  get receivedBytes(): number {
    return this.#lengthBytes
  }

  /** The whole body. */
  finish(): Buffer {
    return this.#bytes.subarray(0, this.#lengthBytes)
  }

  #append(data: Buffer): void {
    const neededBytes = this.#lengthBytes + data.length
    if (neededBytes > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.min(2 * neededBytes, this.#maxBytes))
      this.#bytes.copy(grown, 0, 0, this.#lengthBytes)
      this.#bytes = grown
    }
    data.copy(this.#bytes, this.#lengthBytes)
    this.#lengthBytes = neededBytes
  }
}

export function bodyTooLarge(maxBytes: number): HttpRefusal {
  return new HttpRefusal(413, `The request body is larger than ${maxBytes} bytes.`)
}

function isExtensionStart(byte: number | undefined): boolean {
  return byte === 0x3b || byte === 0x20 || byte === 0x09
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}
