const stopSignals = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/** The first signal lets `close` finish what is in progress. Another one, a moment later, does not wait for that.
 *  Simultaneous signals count as one: npm passes Ctrl+C on to a process that has already received it from the
 *  terminal. */
export function stopOnSignals(close: () => Promise<void>, onFailure: (error: unknown) => void): void {
  let askedAtMs: number | undefined
  for (const [signal, exitCode] of Object.entries(stopSignals)) {
    process.on(signal, () => {
      const nowMs = performance.now()
      if (askedAtMs !== undefined) {
        if (nowMs - askedAtMs > sameWishMs) process.exit(exitCode)
        return
      }
      askedAtMs = nowMs
      close().then(
        () => process.exit(0),
        (error: unknown) => {
          onFailure(error)
          process.exit(1)
        },
      )
    })
  }
}

const sameWishMs = 500
