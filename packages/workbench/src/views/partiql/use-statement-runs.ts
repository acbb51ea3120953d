import { useCallback, useEffect, useRef, useState } from 'react'
import { useCall } from '../../api/queries.ts'
import type { ServiceRequest } from '../../codegen/service-request.ts'
import { QueryRun, type RunState } from '../query/run/query-run.ts'

export interface StatementRun {
  readonly request: ServiceRequest
  readonly run: QueryRun
}

/** Runs statements one after another, each to its first page; the first error ends it. */
export function useStatementRuns() {
  const call = useCall()
  const [runs, setRuns] = useState<readonly StatementRun[]>([])
  const [, redraw] = useState(0)
  const current = useRef<readonly StatementRun[]>([])
  useEffect(() => () => current.current.forEach(({ run }) => run.cancel()), [])
  const start = useCallback(
    async (requests: readonly ServiceRequest[]): Promise<boolean> => {
      for (const { run } of current.current) run.cancel()
      const made = requests.map((request) => ({ request, run: new QueryRun({ requests: [request] }, call) }))
      for (const { run } of made) run.subscribe(() => redraw((count) => count + 1))
      current.current = made
      setRuns(made)
      for (const { run } of made) {
        await run.nextPage()
        if (run.state.status !== 'done') return false
      }
      return true
    },
    [call],
  )
  const cancel = useCallback(() => current.current.forEach(({ run }) => run.cancel()), [])
  return { runs, start, cancel, isRunning: runs.some(({ run }) => isUnderWay(run.state)) }
}

function isUnderWay({ status }: RunState): boolean {
  return status === 'running'
}
