/** Time as a store measures it: not the wall clock, only how long something takes. */
export interface StoreTimers {
  /** Milliseconds since some moment. */
  now(): number
  /** Runs something later, unless it is cancelled. Does not keep the process alive. */
  after(ms: number, run: () => void): { cancel(): void }
  /** Waits, and keeps the process alive meanwhile. */
  pause(ms: number): Promise<void>
}

export const processTimers: StoreTimers = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms).unref()
    return { cancel: () => clearTimeout(timer) }
  },
  pause: (ms) =>
    new Promise((resolve) => {
      setTimeout(resolve, ms)
    }),
}
