import { useSyncExternalStore } from 'react'
import { Listeners } from '../state/listeners.ts'

// Which connections this tab may write to, because somebody has switched it on. It is forgotten when the page is reloaded.

const grants = new Map<string, string>()
const listeners = new Listeners()

export function writingGrant(connection: string): string | undefined {
  return grants.get(connection)
}

export function setWritingGrant(connection: string, grant: string | undefined): void {
  if (grant === undefined) grants.delete(connection)
  else grants.set(connection, grant)
  listeners.notify()
}

export function useWritingGrant(connection: string | undefined): string | undefined {
  return useSyncExternalStore(listeners.subscribe, () => grants.get(connection ?? ''))
}
