import { Progress } from '@hashrange/transfer'

/** Work that a database does by itself. */
export interface FollowedWork {
  readonly label: string
  /** How many items there will be, as far as the database knows. */
  readonly totalItems: number
  look(): Promise<WorkState>
  /** What happens to the work when nobody watches it any more. */
  readonly goesOn: string
}

export interface WorkState {
  readonly isDone: boolean
  readonly items: number
  readonly bytes: number
}

/** Checks the progress of the work from time to time, shows it, and returns how it ended; undefined if Ctrl+C came
 *  first. */
export async function followWork(work: FollowedWork): Promise<WorkState | undefined> {
  const end = await watch(work)
  if (end === undefined) process.stderr.write(`No longer watching. ${work.goesOn}\n`)
  return end
}

async function watch(work: FollowedWork): Promise<WorkState | undefined> {
  const interruption = new AbortController()
  const stop = (): void => interruption.abort()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  const progress = new Progress(process.stderr)
  // A database that only counts now and then may know of no items although there are some.
  progress.begin(work.label, work.totalItems > 0 ? work.totalItems : undefined)
  try {
    let seen: WorkState = { isDone: false, items: 0, bytes: 0 }
    for (let pauseMs = 25; ; pauseMs = Math.min(1_000, pauseMs * 1.5)) {
      const state = await work.look()
      progress.add(state.items - seen.items, state.bytes - seen.bytes)
      seen = state
      if (state.isDone) return state
      await pause(pauseMs, interruption.signal)
      if (interruption.signal.aborted) return undefined
    }
  } finally {
    progress.end()
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
}

function pause(pauseMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, pauseMs)
    signal.addEventListener('abort', end)
  })
}
