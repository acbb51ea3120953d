import { useSyncExternalStore } from 'react'
import { Listeners } from '../state/listeners.ts'

// Whether hashrange answers. It may be stopped and started again while the page is open; then the page continues by
// itself.

const changes = new Listeners()
const recoveries = new Listeners()
let isReachable = true

export function useIsReachable(): boolean {
  return useSyncExternalStore(changes.subscribe, () => isReachable)
}

/** Calls back when what had failed may be tried again: hashrange answers again, or takes the token again. */
export const onRecovered = recoveries.subscribe

export function tellRecovered(): void {
  recoveries.notify()
}

/** Every request shows whether there was an answer. */
export function connectionAnswered(isThere: boolean): void {
  if (isThere === isReachable) return
  isReachable = isThere
  changes.notify()
  if (isThere) tellRecovered()
}
