import type { Key, MaybePromise, Snapshot } from '../store/store.ts'
import { whenThere } from '../store/when-there.ts'

/** The first key between the bounds. */
export function firstKey(snapshot: Snapshot, from: Key, to: Key): MaybePromise<Key | undefined> {
  let found: Key | undefined
  const visit = (key: Key): boolean => {
    found = key
    return false
  }
  return whenThere(snapshot.range({ from, to, limit: 1 }, visit), () => found)
}
