import { isDeepStrictEqual } from 'node:util'
import { StoreAbove } from '../store/store-above.ts'
import type { Decision, IsSpare, Key, Value } from '../store/store.ts'

type Values = readonly (Value | undefined)[]

/** A store that asks every decision twice, with the same values, and throws if the two answers differ. A store may
 *  ask twice whenever another write comes in between. Here, a decision that cannot bear it is found in a test and not
 *  in production. */
export class AskingTwiceStore extends StoreAbove {
  override transact<T>(
    keys: readonly Key[],
    decide: (values: Values) => Decision<T>,
    isSpare?: IsSpare,
  ): Promise<T> {
    return this.underneath.transact(keys, (values) => askTwice(decide, values), isSpare)
  }
}

let isAskingAgain = false

/** How much later it is while a decision is asked again: of a clock that adds it, a decision that looks at it is found out. */
export function askedAgainMs(): number {
  return isAskingAgain ? 1 : 0
}

/** What a decision came to: what it says, or what it throws. */
type Reply<T> = { readonly decision: Decision<T> } | { readonly error: unknown }

function askTwice<T>(decide: (values: Values) => Decision<T>, values: Values): Decision<T> {
  const given = values.map((value) => value && Buffer.from(value))
  const first = ask(decide, given)
  if (!isDeepStrictEqual(given, values)) throw new Error('a decision has changed the values that it was given')
  isAskingAgain = true
  const second = ask(decide, values)
  isAskingAgain = false
  assertSame(first, second)
  if ('error' in second) throw second.error
  return second.decision
}

function ask<T>(decide: (values: Values) => Decision<T>, values: Values): Reply<T> {
  try {
    return { decision: decide(values) }
  } catch (error) {
    return { error }
  }
}

function assertSame<T>(first: Reply<T>, second: Reply<T>): void {
  if ('decision' in first && 'decision' in second) {
    assertEqual('writes', first.decision.writes, second.decision.writes)
    assertEqual('answers', first.decision.answer, second.decision.answer)
    assertEqual('effects', first.decision.effect === undefined, second.decision.effect === undefined)
    return
  }
  if ('error' in first && 'error' in second) {
    assertEqual('errors', first.error, second.error)
    return
  }
  throw new DecisionsDiffer('outcomes', first, second)
}

function assertEqual(what: string, first: unknown, second: unknown): void {
  if (!isDeepStrictEqual(first, second)) throw new DecisionsDiffer(what, first, second)
}

/** Not one of the errors that the engine knows what to do with. */
class DecisionsDiffer extends Error {
  constructor(what: string, first: unknown, second: unknown) {
    super(`a decision was asked twice with the same values, and its ${what} differ`, { cause: { first, second } })
    this.name = 'DecisionsDiffer'
  }
}
