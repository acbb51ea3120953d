import { existsSync } from 'node:fs'
import { StateError } from '@hashrange/transfer'

/** Ctrl+C stops a transfer between two steps, so that it can be taken up again; a second one does not wait. */
export function onInterruption(): AbortSignal {
  const controller = new AbortController()
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort()
    process.stderr.write('\nStopping after what is under way; once more stops at once.\n')
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return controller.signal
}

/** What to say, and the exit code, when a transfer was stopped. */
export function tellOfInterruption(statePath: string): number {
  process.stderr.write(`Stopped. To go on, run the same command again: ${statePath} says how far it came.\n`)
  return 130
}

/** Runs a transfer. If it fails on its way, what it noted until then is not lost, and its user is told so. */
export async function resumable<Outcome>(statePath: string, transfer: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await transfer()
  } catch (error) {
    if (existsSync(statePath) && !(error instanceof StateError)) {
      process.stderr.write(
        `To go on when that is mended, run the same command again: ${statePath} says how far it came.\n`,
      )
    }
    throw error
  }
}
