/** Numbers that follow from a seed: small, and good enough to choose what to do next (mulberry32). */
export class Randomness {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** From 0 up to, but without, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b_79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from `from` up to and with `to`. */
  between(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  oneOf<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.next() * choices.length)] as T
  }

  /** Up to `count` different ones. */
  someOf<T>(choices: readonly T[], count: number): readonly T[] {
    const chosen = new Set<T>()
    for (let n = 0; n < count; n++) chosen.add(this.oneOf(choices))
    return [...chosen]
  }

  /** A stream of its own, which the order of others' calls does not change. */
  fork(): Randomness {
    return new Randomness(Math.floor(this.next() * 2 ** 32))
  }
}

/** HASHRANGE_SEED, or a number that nobody has chosen. */
export function seedOfRun(): number {
  return givenSeed() ?? anySeed()
}

/** The seed of `npm test`. It is the same in every run, so that what passes here passes on the next machine too. `HASHRANGE_SEED=random`
 *  makes choices that were never made before, as the long runs do. */
export function seedOfTests(): number {
  return process.env['HASHRANGE_SEED'] === 'random' ? anySeed() : (givenSeed() ?? 1)
}

function givenSeed(): number | undefined {
  const given = process.env['HASHRANGE_SEED']
  if (given === undefined || given === '') return undefined
  if (/^\d{1,10}$/.test(given) && Number(given) < 2 ** 31) return Number(given)
  throw new Error(`HASHRANGE_SEED must be a whole number below 2147483648, not "${given}".`)
}

function anySeed(): number {
  return Math.floor(Math.random() * 2 ** 31)
}
