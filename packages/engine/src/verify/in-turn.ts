import type { MaybePromise } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'

/** One step after another, then the end: synchronously if nothing needs to be awaited, so that all of it is from one
 *  snapshot. */
export function inTurn<T>(
  steps: readonly (() => MaybePromise<void>)[],
  end: () => MaybePromise<T>,
): MaybePromise<T> {
  const [first, ...rest] = steps
  return first === undefined ? end() : whenThere(first(), () => inTurn(rest, end))
}
