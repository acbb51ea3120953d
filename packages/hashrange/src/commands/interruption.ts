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
