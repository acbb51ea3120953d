import { useState } from 'react'
import { useCall, useRefresh } from '../../../api/queries.ts'
import { tell } from '../../../components/toast.tsx'

/** One change of a table's settings: whether it is under way, and what became of it. */
export function useUpdate() {
  const call = useCall()
  const refresh = useRefresh()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const update = async (operation: string, input: object, done: string): Promise<boolean> => {
    setBusy(true)
    setError(undefined)
    try {
      await call(operation, input)
      await refresh()
      tell(done)
      return true
    } catch (failure) {
      setError(failure)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { update, isBusy, error }
}
