import { longestRowBytes } from './row-decoder.ts'

const newline = 0x0a
const carriageReturn = 0x0d

/** Splits bytes into lines. Each byte is looked at once, however the pieces fall and however long a line is. */
export class LineSplitter {
  #line = 0
  #pending: Uint8Array[] = []
  #pendingBytes = 0

  /** Passes every line that `chunk` completes to `visit`, numbered from 1; a line that is too long as undefined. */
  push(chunk: Uint8Array, visit: (text: string | undefined, line: number) => void): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    let start = 0
    let end = bytes.indexOf(newline)
    while (end >= 0) {
      this.#line++
      if (this.#pendingBytes === 0) visit(lineText(bytes, start, end), this.#line)
      else this.#finish(bytes.subarray(start, end), visit)
      start = end + 1
      end = bytes.indexOf(newline, start)
    }
    if (start < bytes.length) this.#keep(bytes.subarray(start))
  }

  end(visit: (text: string | undefined, line: number) => void): void {
    if (this.#pendingBytes === 0) return
    this.#line++
    this.#finish(Buffer.alloc(0), visit)
  }

  #keep(rest: Uint8Array): void {
    this.#pendingBytes += rest.length
    if (this.#pendingBytes > longestRowBytes) this.#pending = []
    else this.#pending.push(rest)
  }

  #finish(rest: Buffer, visit: (text: string | undefined, line: number) => void): void {
    const tooLong = this.#pendingBytes + rest.length > longestRowBytes
    const whole = tooLong ? rest : Buffer.concat([...this.#pending, rest])
    this.#pending = []
    this.#pendingBytes = 0
    visit(tooLong ? undefined : lineText(whole, 0, whole.length), this.#line)
  }
}

function lineText(bytes: Buffer, start: number, end: number): string {
  const last = end > start && bytes[end - 1] === carriageReturn ? end - 1 : end
  const text = bytes.toString('utf8', start, last)
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}
