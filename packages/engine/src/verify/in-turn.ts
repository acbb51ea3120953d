import type { MaybePromise } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'

/** One step after the other, then the end: at once where nothing is to be waited for, so that all of it is of one snapshot. */
export function inTurn<T>(
  steps: readonly (() => MaybePromise<void>)[],
  end: () => MaybePromise<T>,
): MaybePromise<T> {
  const [first, ...rest] = steps
  return first === undefined ? end() : whenThere(first(), () => inTurn(rest, end))
}
