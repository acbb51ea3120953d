import { limits } from '../limits.ts'
import { utf8Length } from '../values/utf8.ts'
import { invalidExpression } from './invalid-expression.ts'
import type { ExpressionKind } from './syntax.ts'

/** How many characters of text one generation remembers. A tree takes some thirty bytes for a character. */
const generationCharacters = 262_144

/** Caches parsed texts of one kind, because applications send the same few again and again. Two generations
 *  approximate "least recently used" for the price of one Map lookup: a full young generation becomes the old one,
 *  and texts that are used again in time move back. Rejected texts are not cached. */
export class ParseCache<T> {
  readonly #kind: ExpressionKind
  readonly #parse: (text: string) => T
  #young = new Map<string, T>()
  #old = new Map<string, T>()
  #youngCharacters = 0

  constructor(kind: ExpressionKind, parse: (text: string) => T) {
    this.#kind = kind
    this.#parse = parse
  }

  get(text: string): T {
    const known = this.#young.get(text)
    if (known !== undefined) return known
    const parsed = this.#old.get(text) ?? this.#parseAnew(text)
    this.#remember(text, parsed)
    return parsed
  }

  /** The number of cached texts. */
  get size(): number {
    return this.#young.size + this.#old.size
  }

  #parseAnew(text: string): T {
    if (text === '') throw invalidExpression(this.#kind, 'The expression can not be empty;')
    const sizeBytes = utf8Length(text)
    // The length of a statement is checked with the request.
    if (sizeBytes > limits.expressionBytes && this.#kind !== 'Statement') {
      const problem = 'Expression size has exceeded the maximum allowed size;'
      // Among all expressions, only the update's is rejected without its size.
      throw invalidExpression(
        this.#kind,
        this.#kind === 'UpdateExpression' ? problem : `${problem} expression size: ${sizeBytes}`,
      )
    }
    return this.#parse(text)
  }

  #remember(text: string, parsed: T): void {
    this.#youngCharacters += text.length
    if (this.#youngCharacters > generationCharacters) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngCharacters = text.length
    }
    this.#young.set(text, parsed)
  }
}
