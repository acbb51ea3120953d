import type { Randomness } from '../../support/randomness.ts'
import type { Held, ItemAction, ItemAnswer } from '../checker/item-operation.ts'

/** The single items that clients work on. After some operations, and sooner where it is uncertain what has happened, others take
 *  their place: the search for an order is short as long as histories of items are. */
export class ItemSpace {
  readonly #prefix: string
  readonly #active: string[]
  readonly #uses = new Map<string, number>()
  readonly #seen = new Map<string, Held>()
  /** All there have been. */
  readonly keys: string[] = []

  constructor(prefix: string, activeItems: number) {
    this.#prefix = prefix
    this.#active = Array.from({ length: activeItems }, () => this.#newKey())
  }

  choose(random: Randomness): { readonly key: string; readonly isCounter: boolean } {
    const key = random.oneOf(this.#active)
    return { key, isCounter: key.endsWith('counter') }
  }

  /** What somebody saw it hold last: a good guess for a comparison. */
  lastSeen(key: string): Held {
    return this.#seen.get(key)
  }

  note(key: string, action: ItemAction, answer: ItemAnswer | undefined): void {
    if (answer?.isDone === true && 'value' in action) this.#seen.set(key, action.value)
    else if (answer?.before !== undefined) this.#seen.set(key, answer.before.held)
    const uses = (this.#uses.get(key) ?? 0) + (answer === undefined ? usesPerKey / 8 : 1)
    this.#uses.set(key, uses)
    const place = this.#active.indexOf(key)
    if (place >= 0 && uses >= usesPerKey) this.#active[place] = this.#newKey()
  }

  #newKey(): string {
    const kind = this.keys.length % 3 === 0 ? 'counter' : 'register'
    const key = `${this.#prefix}-${this.keys.length}-${kind}`
    this.keys.push(key)
    return key
  }
}

const usesPerKey = 80
