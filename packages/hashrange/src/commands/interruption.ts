import { existsSync } from 'node:fs'
import { StateError } from '@hashrange/transfer'

/** Runs work that Ctrl+C stops between two steps, so that it can be continued; a second one does not wait. */
export async function interruptible<Outcome>(work: (signal: AbortSignal) => Promise<Outcome>): Promise<Outcome> {
  const controller = new AbortController()
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort()
    process.stderr.write('\nFinishing the current step. Press Ctrl+C again to stop immediately.\n')
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  try {
    return await work(controller.signal)
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
}

/** What to say, and the exit code, when a transfer was stopped. */
export function printInterruption(statePath: string): number {
  process.stderr.write(`Stopped. To continue, run the same command again: progress is recorded in ${statePath}.\n`)
  return 130
}

/** A transfer failed, and has recorded its progress. */
export class Unfinished extends Error {
  readonly statePath: string

  constructor(statePath: string, cause: unknown) {
    super('The transfer did not finish', { cause })
    this.statePath = statePath
  }
}

/** Runs a transfer that records its progress in a file. Ctrl+C stops it between two steps. */
export async function resumable<Outcome>(
  statePath: string,
  transfer: (signal: AbortSignal) => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await interruptible(transfer)
  } catch (error) {
    throw existsSync(statePath) && !(error instanceof StateError) ? new Unfinished(statePath, error) : error
  }
}
