import type { Randomness } from '../../support/randomness.ts'

export interface Pool {
  readonly name: string
  readonly keys: readonly string[]
}

/** The lists that clients work on. They come in pools, which are in one partition of the index each; when a pool's lists have grown, others
 *  take its place. So lists stay short, however long a run is, and those in use stay contended. */
export class ListSpace {
  readonly #prefix: string
  readonly #active: Pool[]
  readonly #appends = new Map<Pool, number>()
  /** All there have been. */
  readonly pools: Pool[] = []

  constructor(prefix: string, activePools: number) {
    this.#prefix = prefix
    this.#active = Array.from({ length: activePools }, () => this.#newPool())
  }

  /** Some lists, mostly of one pool, and the pool. */
  choose(random: Randomness, count: number): { readonly pool: Pool; readonly keys: readonly string[] } {
    const pool = random.oneOf(this.#active)
    const others = random.chance(0.1) ? random.oneOf(this.#active).keys : []
    return { pool, keys: random.someOf([...pool.keys, ...others], count) }
  }

  noteAppends(pool: Pool, count: number): void {
    const appends = (this.#appends.get(pool) ?? 0) + count
    this.#appends.set(pool, appends)
    const place = this.#active.indexOf(pool)
    if (place >= 0 && appends > keysPerPool * appendsPerKey) this.#active[place] = this.#newPool()
  }

  #newPool(): Pool {
    const name = `${this.#prefix}-${this.pools.length}`
    const pool = { name, keys: Array.from({ length: keysPerPool }, (_, n) => `${name}-${n}`) }
    this.pools.push(pool)
    return pool
  }
}

const keysPerPool = 8
const appendsPerKey = 16

/** A list's pool stands in its name. */
export function poolNameOf(key: string): string {
  return key.slice(0, key.lastIndexOf('-'))
}
