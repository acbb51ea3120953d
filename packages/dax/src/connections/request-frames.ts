import { CborReader } from '../wire/cbor-reader.ts'
import { CborScanner } from '../wire/cbor-scanner.ts'
import { malformed, tooLarge } from '../wire/malformed.ts'
import { methods, type MethodName } from '../protocol/methods.ts'

const magic = 'J7yne5G'
/** What a client says first: the magic word, how many layers it wants, its session, who made it, and its mode. */
const helloValues = 5
const daxService = 1

/** A request: what is called, and a reader of its arguments. */
export interface RequestFrame {
  readonly method: MethodName
  readonly reader: CborReader
}

/** Puts requests together from bytes as they arrive. */
export class RequestFrames {
  readonly #scanner = new CborScanner()
  #pieces: Buffer[] = []
  #heldBytes = 0
  #layers = 0
  #part: 'magic' | 'hello' | 'head' | 'arguments' = 'magic'
  #method: MethodName = 'endpoints'
  #wanted = 1

  /** Whether the client wants its answers in frames, as that for Java does. */
  get wantsFrames(): boolean {
    return this.#layers > 0
  }

  /** The bytes of a request that has not arrived in full. */
  get heldBytes(): number {
    return this.#heldBytes
  }

  get hasBegun(): boolean {
    return this.#heldBytes > 0 || this.#part === 'magic' || this.#part === 'hello'
  }

  /** Takes bytes from `offset` up to the end of the next request, and returns where that is. */
  take(bytes: Buffer, offset: number, mostBytes: number): { readonly at: number; readonly frame?: RequestFrame } {
    let at = offset
    while (at < bytes.length || this.#wanted === 0) {
      const from = at
      at = this.#scanner.scan(bytes, at, this.#wanted)
      if (at > from) this.#hold(bytes.subarray(from, at), mostBytes)
      if (this.#scanner.whole < this.#wanted) break
      const frame = this.#next()
      if (frame !== undefined) return { at, frame }
    }
    return { at }
  }

  #hold(piece: Buffer, mostBytes: number): void {
    this.#heldBytes += piece.length
    if (this.#heldBytes > mostBytes) throw tooLarge(`At most ${mostBytes} bytes are allowed.`)
    this.#pieces.push(piece)
  }

  /** What follows, now that a part is there. */
  #next(): RequestFrame | undefined {
    this.#scanner.reset()
    switch (this.#part) {
      case 'magic':
        if (new CborReader(this.#drop()).text() !== magic) throw malformed('it does not begin as DAX clients do')
        this.#await('hello', helloValues - 1)
        return undefined
      case 'hello':
        this.#layers = new CborReader(this.#drop()).integer()
        if (this.#layers > 1) throw malformed('it asks for unknown layers')
        this.#await('head', 2)
        return undefined
      case 'head': {
        const reader = new CborReader(this.#drop())
        const service = reader.integer()
        const method = methods.get(reader.integer())
        if (service !== daxService || method === undefined) throw malformed('it calls an unknown method')
        this.#method = method.name
        this.#await('arguments', method.argumentCount)
        return undefined
      }
      case 'arguments': {
        const reader = new CborReader(this.#drop())
        this.#await('head', 2)
        return { method: this.#method, reader }
      }
    }
  }

  #await(part: 'hello' | 'head' | 'arguments', values: number): void {
    this.#part = part
    this.#wanted = values
  }

  #drop(): Buffer {
    const whole = this.#pieces.length === 1 ? (this.#pieces[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#pieces)
    this.#pieces = []
    this.#heldBytes = 0
    return whole
  }
}
