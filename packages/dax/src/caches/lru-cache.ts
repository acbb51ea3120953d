import type { Clock } from '@hashrange/engine'

export interface CacheOptions {
  /** 0 keeps entries until there is no room for them. */
  readonly ttlMs: number
  readonly maxBytes: number
  readonly clock: Pick<Clock, 'now'>
}

/** What a cache has done since the server started. */
export interface CacheFigures {
  readonly hits: number
  readonly misses: number
  readonly evictions: number
  readonly entries: number
  readonly bytes: number
}

interface Entry<T> {
  readonly value: T
  readonly bytes: number
  readonly filledAtMs: number
}

/** What an entry takes besides its bytes. */
const entryBytes = 200

/** Keeps entries for a time, and those that were used last if they do not all fit. */
export class LruCache<T> {
  readonly #options: CacheOptions
  /** The least recently used first. */
  readonly #entries = new Map<string, Entry<T>>()
  #bytes = 0
  #hits = 0
  #misses = 0
  #evictions = 0

  constructor(options: CacheOptions) {
    this.#options = options
  }

  get figures(): CacheFigures {
    return {
      hits: this.#hits,
      misses: this.#misses,
      evictions: this.#evictions,
      entries: this.#entries.size,
      bytes: this.#bytes,
    }
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined || this.#isExpired(entry)) {
      if (entry !== undefined) this.delete(key)
      this.#misses++
      return undefined
    }
    this.#hits++
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** What alone is larger than the cache is not kept. */
  set(key: string, value: T, valueBytes: number): void {
    this.delete(key)
    const bytes = valueBytes + key.length * 2 + entryBytes
    if (bytes > this.#options.maxBytes) return
    this.#entries.set(key, { value, bytes, filledAtMs: this.#options.clock.now() })
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#options.maxBytes) break
      this.delete(oldest)
      this.#evictions++
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
  }

  /** A clock that was set back does not make entries live longer. */
  #isExpired({ filledAtMs }: Entry<T>): boolean {
    const { ttlMs, clock } = this.#options
    if (ttlMs === 0) return false
    const ageMs = clock.now() - filledAtMs
    return ageMs >= ttlMs || ageMs < 0
  }
}
