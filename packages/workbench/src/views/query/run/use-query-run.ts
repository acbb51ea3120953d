import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { useCall } from '../../../api/queries.ts'
import { idleRun, QueryRun, type Runnable } from './query-run.ts'

/** Runs queries, one at a time: a new one ends the one before. */
export function useQueryRun() {
  const call = useCall()
  const [run, setRun] = useState<QueryRun | undefined>(undefined)
  useEffect(() => () => run?.cancel(), [run])
  const state = useSyncExternalStore(
    useCallback((listener: () => void) => run?.subscribe(listener) ?? (() => undefined), [run]),
    () => run?.state ?? idleRun,
  )
  const start = useCallback(
    (runnable: Runnable): Promise<void> => {
      const next = new QueryRun(runnable, call)
      setRun(next)
      return next.nextPage()
    },
    [call],
  )
  return { state, start, more: run?.nextPage, all: run?.readAll, cancel: run?.cancel }
}
