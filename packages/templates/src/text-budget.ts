import { isObject, type Json } from './table-design.ts'

/** Bounds the texts that functions and variables make of each other: a few lines can double a text as often as there are
 *  lines. Far more than any real template needs. */
export class TextBudget {
  #left = 32 * 1024 * 1024

  /** Whether there is room for another copy of a value. */
  take(value: Json): boolean {
    this.#left -= lengthOf(value)
    return this.#left >= 0
  }

  /** Whether there would be room for a text of that length: asked before it is made. */
  hasRoomFor(length: number): boolean {
    return this.#left >= length
  }
}

export const tooLong = 'its texts are too long'

function lengthOf(value: Json): number {
  if (typeof value === 'string') return value.length
  // A member of a list takes space, even if it is empty.
  if (Array.isArray(value))
    return (value as readonly Json[]).reduce<number>((sum, one) => sum + lengthOf(one), 8 * value.length)
  if (isObject(value))
    return Object.entries(value).reduce((sum, [name, one]) => sum + name.length + lengthOf(one), 0)
  return 8
}
