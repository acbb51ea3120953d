/** A naive table: what every engine must agree with. Items are kept in one list and searched from end to end. */
export interface ReferenceItem {
  readonly pk: string
  readonly sk: number
  readonly g?: string
  readonly h?: number
  readonly l?: string
  readonly v?: number
}

export class ConditionFailed extends Error {}

export class ReferenceTable {
  items: ReferenceItem[] = []

  get(pk: string, sk: number): ReferenceItem | undefined {
    return this.items.find((item) => item.pk === pk && item.sk === sk)
  }

  put(item: ReferenceItem, condition: (before: ReferenceItem | undefined) => boolean): ReferenceItem | undefined {
    const before = this.get(item.pk, item.sk)
    if (!condition(before)) throw new ConditionFailed()
    this.items = [...this.items.filter((other) => other !== before), item]
    return before
  }

  delete(
    pk: string,
    sk: number,
    condition: (before: ReferenceItem | undefined) => boolean,
  ): ReferenceItem | undefined {
    const before = this.get(pk, sk)
    if (!condition(before)) throw new ConditionFailed()
    this.items = this.items.filter((other) => other !== before)
    return before
  }

  /** Applies all or nothing. */
  transact(actions: readonly (() => void)[]): void {
    const before = this.items
    try {
      for (const action of actions) action()
    } catch (error) {
      this.items = before
      throw error
    }
  }

  query(where: (item: ReferenceItem) => boolean, by: (item: ReferenceItem) => number | string): ReferenceItem[] {
    return this.items.filter(where).toSorted((a, b) => compare(by(a), by(b)))
  }
}

function compare(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}
