import { useCallback, useEffect, useRef, useState } from 'react'
import { isAbort } from '../../api/api.ts'
import { formatCount } from '../../values/format.ts'
import { Button } from '../controls/button.tsx'
import { ErrorBox } from './notices.tsx'
import './job.css'

export interface JobReport {
  readonly done: number
  /** Left out where nobody knows how much there is. */
  readonly total?: number | undefined
  readonly note?: string
}

export type JobState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly report: JobReport }
  | { readonly kind: 'done'; readonly report: JobReport }
  | { readonly kind: 'cancelled'; readonly report: JobReport }
  | { readonly kind: 'failed'; readonly report: JobReport; readonly error: unknown }

/** Long work that tells how far it is and stops when asked. It is stopped, too, when its component goes.
 *
 *      const job = useJob()
 *      job.run(async (signal, report) => { … report({ done, total }) … }) */
export function useJob() {
  const [state, setState] = useState<JobState>({ kind: 'idle' })
  const controller = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => controller.current?.abort(), [])
  const run = useCallback(
    async (work: (signal: AbortSignal, report: (report: JobReport) => void) => Promise<void>): Promise<boolean> => {
      controller.current?.abort()
      const own = new AbortController()
      controller.current = own
      let last: JobReport = { done: 0 }
      const tell = (next: JobState): void => {
        if (controller.current === own) setState(next)
      }
      tell({ kind: 'running', report: last })
      try {
        await work(own.signal, (report) => {
          last = report
          tell({ kind: 'running', report })
        })
        own.signal.throwIfAborted()
        tell({ kind: 'done', report: last })
        return true
      } catch (error) {
        tell(isAbort(error) ? { kind: 'cancelled', report: last } : { kind: 'failed', report: last, error })
        return false
      }
    },
    [],
  )
  const cancel = useCallback(() => controller.current?.abort(), [])
  const reset = useCallback(() => setState({ kind: 'idle' }), [])
  return { state, run, cancel, reset, isRunning: state.kind === 'running' }
}

export interface JobProgressProps {
  readonly state: JobState
  /** What is counted, such as "items". */
  readonly unit: string
  /** What is going on, such as "Deleting". */
  readonly verb: string
  readonly onCancel?: () => void
}

export function JobProgress({ state, unit, verb, onCancel }: JobProgressProps) {
  if (state.kind === 'idle') return null
  const { done, total, note } = state.report
  const isRunning = state.kind === 'running'
  const counted = total === undefined ? formatCount(done) : `${formatCount(done)} of ${formatCount(total)}`
  const label = isRunning
    ? `${verb} …`
    : state.kind === 'done'
      ? 'Done'
      : state.kind === 'failed'
        ? 'Failed'
        : 'Cancelled'
  return (
    <div className="job">
      <div className="row">
        <span className="grow" role="status">
          {label} <span className="number">{counted}</span> {unit}
          {note !== undefined && <span className="muted"> · {note}</span>}
        </span>
        {isRunning && onCancel !== undefined && <Button onClick={onCancel}>Cancel</Button>}
      </div>
      <progress
        className="job-bar"
        aria-label={`${verb} ${unit}`}
        {...(total !== undefined && { max: Math.max(1, total), value: Math.min(done, total) })}
        {...(total === undefined && !isRunning && { max: 1, value: 1 })}
      />
      {state.kind === 'failed' && <ErrorBox error={state.error} />}
    </div>
  )
}
