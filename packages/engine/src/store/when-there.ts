import type { MaybePromise } from './store.ts'

/** Continues with a value: synchronously if it is available, otherwise once it is. A promise for an available value
 *  would cost more than most of what is done with it. */
export function whenThere<T, U>(value: MaybePromise<T>, goOn: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(goOn) : goOn(value)
}
