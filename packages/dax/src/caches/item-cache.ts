import type { Item } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import { LruCache, type CacheFigures, type CacheOptions } from './lru-cache.ts'

/** The values of an item besides its key, in the form in which they are sent; or that there is no such item. */
export type CachedItem = Buffer | 'none'

/** Permission to keep what was read, unless the item was written in the meantime. */
export interface Ticket {
  isOutdated: boolean
}

interface Writing {
  count: number
  hasOverlapped: boolean
}

/** Items by their key. Reads fill it, and writes replace what is in it. What is written while it is read, or by two at once, is
 *  not kept: the next read fetches it. */
export class ItemCache {
  readonly #cache: LruCache<CachedItem>
  /** Reads that are under way. */
  readonly #tickets = new Map<string, Set<Ticket>>()
  /** Writes that are under way. */
  readonly #writings = new Map<string, Writing>()

  constructor(options: CacheOptions) {
    this.#cache = new LruCache(options)
  }

  get figures(): CacheFigures {
    return this.#cache.figures
  }

  get(key: string): CachedItem | undefined {
    return this.#cache.get(key)
  }

  beginRead(key: string): Ticket {
    const ticket = { isOutdated: false }
    const others = this.#tickets.get(key)
    if (others === undefined) this.#tickets.set(key, new Set([ticket]))
    else others.add(ticket)
    return ticket
  }

  /** Without an item, the read has failed. */
  endRead(key: string, ticket: Ticket, item?: CachedItem): void {
    const tickets = this.#tickets.get(key)
    tickets?.delete(ticket)
    if (tickets?.size === 0) this.#tickets.delete(key)
    if (item !== undefined && !ticket.isOutdated) this.#set(key, item)
  }

  beginWrite(key: string): void {
    const writing = this.#writings.get(key)
    if (writing === undefined) this.#writings.set(key, { count: 1, hasOverlapped: false })
    else {
      writing.count++
      writing.hasOverlapped = true
    }
  }

  /** With `unchanged`, nothing was written. Without an item, it is not known what it is now. */
  endWrite(key: string, item: CachedItem | 'unchanged' | undefined): void {
    const writing = this.#writings.get(key)
    const isAlone = writing?.hasOverlapped !== true
    if (writing !== undefined && --writing.count === 0) this.#writings.delete(key)
    if (item === 'unchanged') return
    for (const ticket of this.#tickets.get(key) ?? []) ticket.isOutdated = true
    if (item === undefined || !isAlone) this.#cache.delete(key)
    else this.#set(key, item)
  }

  #set(key: string, item: CachedItem): void {
    // A copy: what was written may be the start of a larger piece of memory.
    if (item === 'none') this.#cache.set(key, item, 0)
    else this.#cache.set(key, Buffer.from(item), item.length)
  }
}

export function itemCacheKey({ accountId, region }: Scope, table: string, key: Item): string {
  return JSON.stringify([accountId, region, table, Object.values(key)])
}
