import type { AttributeValue } from '@hashrange/core'

/** The most used keys of a stream of keys, in bounded memory: Space-Saving (Metwally, Agrawal, El Abbadi 2005). A key
 *  that is not a candidate takes the place, and the count, of the smallest candidate. So counts are never too low, at
 *  most `overestimate` too high, and no key with more than 1/capacity of the total is missed. */
export class HeavyHitters {
  /** From a key's hash to its place. */
  readonly #places = new Map<number, number>()
  readonly #hashes: Int32Array
  readonly #amounts: Float64Array
  readonly #overestimates: Float64Array
  readonly #values: (readonly AttributeValue[])[] = []
  readonly #capacity: number

  constructor(capacity: number) {
    this.#capacity = capacity
    this.#hashes = new Int32Array(capacity)
    this.#amounts = new Float64Array(capacity)
    this.#overestimates = new Float64Array(capacity)
  }

  /** `hash` identifies the key; `values` returns its readable form, and is only called when the key becomes a
   *  candidate. */
  add<Source>(
    hash: number,
    amount: number,
    source: Source,
    values: (source: Source) => readonly AttributeValue[],
  ): void {
    const known = this.#places.get(hash)
    if (known !== undefined) {
      this.#amounts[known] = (this.#amounts[known] ?? 0) + amount
      return
    }
    const isFull = this.#values.length === this.#capacity
    const place = isFull ? this.#least() : this.#values.length
    const before = isFull ? (this.#amounts[place] ?? 0) : 0
    if (isFull) this.#places.delete(this.#hashes[place] ?? 0)
    this.#places.set(hash, place)
    this.#hashes[place] = hash
    this.#amounts[place] = before + amount
    this.#overestimates[place] = before
    this.#values[place] = values(source)
  }

  /** The first `limit` keys, most used first. Keys that may be there by chance, because most of their count was taken
   *  over from others, are left out. */
  top(limit: number): readonly KeyCount[] {
    return this.#values
      .map((values, place) => ({
        hash: this.#hashes[place] ?? 0,
        values,
        amount: this.#amounts[place] ?? 0,
        overestimate: this.#overestimates[place] ?? 0,
      }))
      .filter(({ amount, overestimate }) => overestimate * 2 <= amount)
      .toSorted((a, b) => b.amount - a.amount)
      .slice(0, limit)
  }

  get isEmpty(): boolean {
    return this.#values.length === 0
  }

  clear(): void {
    this.#places.clear()
    this.#values.length = 0
  }

  #least(): number {
    let place = 0
    let least = Number.POSITIVE_INFINITY
    for (let at = 0; at < this.#capacity; at++) {
      const amount = this.#amounts[at] ?? 0
      if (amount < least) {
        least = amount
        place = at
      }
    }
    return place
  }
}

export interface KeyCount {
  readonly hash: number
  readonly values: readonly AttributeValue[]
  readonly amount: number
  readonly overestimate: number
}
