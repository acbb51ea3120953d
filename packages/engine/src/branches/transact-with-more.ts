import { keyText } from '../store/key-text.ts'
import type { Decision, Key, Value } from '../store/store.ts'
import type { Transactor } from '../store/transactor.ts'

/** The value that a key has in the transaction. */
export type ValueOf = (key: Key) => Value | undefined

/** Runs a transaction whose decision may ask for values of keys that nobody named before. It is then called again, with those
 *  keys among the ones that are read; usually once. */
export async function transactWithMore<T>(
  store: Transactor,
  keys: readonly Key[],
  decide: (valueOf: ValueOf) => Decision<T>,
): Promise<T> {
  const known = new Map<string, Key>()
  for (const key of keys) known.set(keyText(key), key)
  for (;;) {
    let missing: Key[] = []
    const names = [...known.keys()]
    const outcome = await store.transact([...known.values()], (values): Decision<Outcome<T>> => {
      const found = new Map(names.map((name, index) => [name, values[index]]))
      missing = []
      const decision = decide((key) => {
        const name = keyText(key)
        if (!found.has(name)) missing.push(key)
        return found.get(name)
      })
      return missing.length > 0
        ? { writes: [], answer: again }
        : { ...decision, answer: { answer: decision.answer } }
    })
    if (outcome !== again) return outcome.answer
    for (const key of missing) known.set(keyText(key), key)
  }
}

const again = Symbol('again')

type Outcome<T> = typeof again | { readonly answer: T }
