/** Time as a store measures it: no clock on the wall, only how long something takes. */
export interface StoreTimers {
  /** Milliseconds since some moment. */
  now(): number
  /** Runs something later, unless it is cancelled. Does not keep the process alive. */
  after(ms: number, run: () => void): { cancel(): void }
}

export const processTimers: StoreTimers = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms).unref()
    return { cancel: () => clearTimeout(timer) }
  },
}
