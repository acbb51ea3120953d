import type { CopyState } from '../../answers/connections.ts'
import { ApiError, ask, scopeQuery } from '../../api/api.ts'
import type { Item, Scope } from '../../api-types.ts'
import type { JobReport } from '../messages/job.tsx'

export interface CopyWhat {
  /** Whole tables. */
  readonly tables?: readonly string[]
  /** Or items of one. */
  readonly items?: { readonly tableName: string; readonly toTableName: string; readonly keys: readonly Item[] }
}

const lookAgainMs = 250

/** Has the server copy, and follows it to its end. What is copied when it is cancelled stays. */
export async function runCopy(
  from: Scope,
  to: Scope,
  what: CopyWhat,
  signal: AbortSignal,
  report: (report: JobReport) => void,
): Promise<void> {
  let state = await ask<CopyState>('copies/begin', { from: scopeQuery(from), to: scopeQuery(to), ...what })
  const { id } = state
  const cancel = (): void => void ask('copies/cancel', { id }).catch(() => undefined)
  signal.addEventListener('abort', cancel)
  try {
    while (state.outcome === 'running') {
      const { done, total, tableName } = state
      report({ done, total, note: tableName })
      await new Promise((resolve) => setTimeout(resolve, lookAgainMs))
      signal.throwIfAborted()
      state = await ask<CopyState>('copies/state', { id }, signal)
    }
  } finally {
    signal.removeEventListener('abort', cancel)
  }
  const { done, total, outcome, problem } = state
  report({ done, total })
  if (outcome === 'failed') throw new ApiError('CopyFailed', problem ?? 'The copy failed.', 400)
}
