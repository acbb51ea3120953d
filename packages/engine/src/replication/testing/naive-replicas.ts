type Plain = Readonly<Record<string, unknown>>

interface Write {
  readonly micros: number
  readonly region: string
  readonly item: Plain | undefined
}

/** A global table without regions: it only remembers the last write of each key. Of writes of one microsecond, that of
 *  the region whose name comes last counts. */
export class NaiveReplicas {
  readonly #last = new Map<string, Write>()
  readonly #own = new Map<string, number>()

  /** `item` is what the key has afterwards. A region that writes twice within a millisecond writes later. */
  write(region: string, pk: string, nowMs: number, item: Plain | undefined): void {
    const own = `${region} ${pk}`
    const micros = Math.max(nowMs * 1000, (this.#own.get(own) ?? 0) + 1)
    this.#own.set(own, micros)
    const last = this.#last.get(pk)
    const isLater = last === undefined || micros > last.micros || (micros === last.micros && region >= last.region)
    if (isLater) this.#last.set(pk, { micros, region, item })
  }

  items(): Record<string, Plain> {
    const items: Record<string, Plain> = {}
    for (const [pk, { item }] of this.#last) if (item !== undefined) items[pk] = item
    return items
  }
}
