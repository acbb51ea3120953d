import { malformed, tooLarge } from './malformed.ts'

/** A value may be one byte long, and takes many times as much memory once it is read. */
const mostValues = 200_000
const deepestLevel = 512

const endless = -1

/** Finds the ends of CBOR values in bytes as they arrive. Requests have no length before them: they end where the last of
 *  their values does. Every byte is looked at once, and the contents of strings not at all. */
export class CborScanner {
  /** How many values are still to come on each level that is open. */
  readonly #open: number[] = []
  #values = 0
  /** Of the head that is being read: its first byte, and how many bytes of its argument are still to come. */
  #initial = 0
  #argumentLeft = 0
  #argument = 0
  /** The bytes of a string that are still to come. */
  #toSkip = 0
  /** A tag belongs to the value after it. */
  #isTagged = false
  #whole = 0

  /** Scans `bytes` from `offset` until `wanted` values have ended since the last `reset`, and returns where that is; or the end
   *  of the bytes. */
  scan(bytes: Uint8Array, offset: number, wanted: number): number {
    let at = offset
    while (at < bytes.length && this.#whole < wanted) {
      if (this.#toSkip > 0) {
        const skipped = Math.min(this.#toSkip, bytes.length - at)
        this.#toSkip -= skipped
        at += skipped
        if (this.#toSkip === 0) this.#end()
      } else if (this.#argumentLeft > 0) {
        this.#argument = this.#argument * 256 + (bytes[at++] ?? 0)
        if (--this.#argumentLeft === 0) this.#head()
      } else {
        this.#begin(bytes[at++] ?? 0)
      }
    }
    return at
  }

  /** How many values have ended. */
  get whole(): number {
    return this.#whole
  }

  /** To be called between values: counts from zero again. */
  reset(): void {
    this.#whole = 0
    this.#values = 0
  }

  #begin(initial: number): void {
    if (++this.#values > mostValues) throw tooLarge(`It has more than ${mostValues} values.`)
    this.#initial = initial
    const info = initial & 31
    this.#argument = info < 24 ? info : 0
    this.#argumentLeft = info >= 24 && info <= 27 ? 1 << (info - 24) : 0
    if (info > 27 && info < 31) throw malformed('it has an unknown length')
    if (this.#argumentLeft === 0) this.#head()
  }

  #head(): void {
    const major = this.#initial >> 5
    const isEndless = (this.#initial & 31) === 31
    if (major === 7) return isEndless ? this.#break() : this.#end()
    if (isEndless) {
      if (major < 2 || major === 6) throw malformed('it has an unknown length')
      return this.#enter(endless)
    }
    if (major === 2 || major === 3) {
      this.#toSkip = this.#argument
      if (this.#toSkip === 0) this.#end()
    } else if (major === 4 || major === 5) {
      if (this.#argument > mostValues) throw tooLarge(`It has more than ${mostValues} values.`)
      const members = major === 5 ? this.#argument * 2 : this.#argument
      if (members === 0) this.#end()
      else this.#enter(members)
    } else if (major === 6) this.#isTagged = true
    else this.#end()
  }

  #enter(members: number): void {
    if (this.#open.length >= deepestLevel) throw malformed('it nests too deeply')
    this.#isTagged = false
    this.#open.push(members)
  }

  #break(): void {
    if (this.#isTagged || this.#open.pop() !== endless) throw malformed('it has an end without a beginning')
    this.#end()
  }

  /** A value has ended, and with it perhaps those around it. */
  #end(): void {
    this.#isTagged = false
    for (;;) {
      const left = this.#open.pop()
      if (left === undefined) {
        this.#whole++
        return
      }
      if (left === endless || left > 1) {
        this.#open.push(left === endless ? endless : left - 1)
        return
      }
    }
  }
}
