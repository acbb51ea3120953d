/** What a decision does besides its writes: something in memory that those who come after it are to notice, as it is. A
 *  decision only says what; the store does it once the decision counts, and undoes it if its writes do not come about.
 *  Neither may throw. */
export interface Effect {
  apply(): void
  undo(): void
}

/** Several as one; none if there is none. */
export function effectOfAll(effects: readonly (Effect | undefined)[]): Effect | undefined {
  const given = effects.filter((effect) => effect !== undefined)
  if (given.length <= 1) return given[0]
  return {
    apply: () => {
      for (const effect of given) effect.apply()
    },
    undo: () => {
      for (const effect of given.toReversed()) effect.undo()
    },
  }
}

/** The effects of decisions that share a commit, for as long as it may fail. */
export class AppliedEffects {
  #effects: Effect[] = []

  apply(effect: Effect): void {
    effect.apply()
    this.#effects.push(effect)
  }

  /** The last first: each may rest on those before it. */
  undo(): void {
    for (const effect of this.#effects.toReversed()) effect.undo()
    this.#effects = []
  }
}
