/** Sorted keys, as strings with one byte per character. For the thousands of keys that are written within a second or
 *  so: an array whose tail moves when one is added. */
export class SortedKeys {
  readonly #keys: string[] = []

  get size(): number {
    return this.#keys.length
  }

  add(key: string): void {
    const at = this.#firstFrom(key)
    if (this.#keys[at] !== key) this.#keys.splice(at, 0, key)
  }

  delete(key: string): void {
    const at = this.#firstFrom(key)
    if (this.#keys[at] === key) this.#keys.splice(at, 1)
  }

  /** Those from `from` on and before `to`. */
  within(from: string, to: string): string[] {
    return this.#keys.slice(this.#firstFrom(from), this.#firstFrom(to))
  }

  /** The position of the first key that is not below `key`. */
  #firstFrom(key: string): number {
    let low = 0
    let high = this.#keys.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#keys[middle] ?? '') < key) low = middle + 1
      else high = middle
    }
    return low
  }
}
