import type { MaybePromise } from './store.ts'

/** Goes on with a value: at once if it is there, and otherwise once it is. A promise for what is there already would cost more than
 *  most of what is done with it. */
export function whenThere<T, U>(value: MaybePromise<T>, goOn: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(goOn) : goOn(value)
}
