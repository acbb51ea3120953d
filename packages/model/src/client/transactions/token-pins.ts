import type { DefaultContext } from '../../schema/attribute.ts'

/** For so long the service recognises a token. */
const windowMs = 600_000
const maxPins = 10_000

/** Makes defaults the same whenever a transaction is repeated with its token: the service takes a repetition for one only
 *  if every value in it is the same. What is random follows from the token, anywhere; the time is that of the first call,
 *  which only this connection remembers. */
export class TokenPins {
  readonly #context: DefaultContext
  readonly #times = new Map<string, number>()

  constructor(context: DefaultContext) {
    this.#context = context
  }

  /** Each write draws its own numbers, since writes are planned side by side in no certain order. */
  async contextOf(token: string, write: number): Promise<DefaultContext> {
    const timeMs = this.#timeOf(token)
    const bytes = new TextEncoder().encode(`${write} ${token}`)
    const random = randomFrom(new DataView(await crypto.subtle.digest('SHA-256', bytes)))
    return { now: () => new Date(timeMs), random }
  }

  #timeOf(token: string): number {
    const nowMs = this.#context.now().getTime()
    const known = this.#times.get(token)
    if (known !== undefined && nowMs - known < windowMs) return known
    // A map keeps the order in which it was filled: the oldest are forgotten first.
    this.#times.delete(token)
    this.#times.set(token, nowMs)
    for (const [oldest, timeMs] of this.#times) {
      if (this.#times.size <= maxPins && nowMs - timeMs < windowMs) break
      this.#times.delete(oldest)
    }
    return nowMs
  }
}

/** The generator sfc32, with 128 bits of seed: identifiers of different tokens must not meet by chance. */
function randomFrom(seed: DataView): () => number {
  let a = seed.getInt32(0)
  let b = seed.getInt32(4)
  let c = seed.getInt32(8)
  let counter = seed.getInt32(12)
  return () => {
    const drawn = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + drawn) | 0
    return (drawn >>> 0) / 2 ** 32
  }
}
