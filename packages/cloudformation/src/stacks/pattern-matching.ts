import { createContext, Script } from 'node:vm'

/** Compares values with the patterns of a template, which are programs of the client's that may run for ever: all of them together
 *  get so much time, and what is not decided by then is not checked. */
export class PatternMatching {
  #leftMs = 250

  /** Undefined if it is not known. */
  matches(pattern: string, value: string): boolean | undefined {
    const beganAtMs = performance.now()
    const timeout = Math.ceil(this.#leftMs)
    if (timeout <= 0) return undefined
    try {
      const inside = createContext({ pattern: `^(?:${pattern})$`, value })
      return comparison.runInContext(inside, { timeout }) === true
    } catch {
      // Too slow, or one of Java's patterns that are not JavaScript's.
      return undefined
    } finally {
      this.#leftMs -= performance.now() - beganAtMs
    }
  }
}

/** The only place in which what JavaScript runs can be stopped. */
const comparison = new Script('new RegExp(pattern).test(value)')
