/** What a decision does besides its writes: a change in memory that later decisions must see. A decision only
 *  describes it. The store applies it when the decision counts, and undoes it if its writes fail. Neither may throw. */
export interface Effect {
  apply(): void
  undo(): void
}

/** Several effects as one; undefined if there are none. */
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

  /** In reverse order: each may depend on those before it. */
  undo(): void {
    for (const effect of this.#effects.toReversed()) effect.undo()
    this.#effects = []
  }
}
