import { useState } from 'react'

/** Work that a button begins: whether it is under way, and why it failed last. */
export function useAttempt() {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  /** Returns whether it was done. */
  const attempt = async (work: () => Promise<void>): Promise<boolean> => {
    setBusy(true)
    setError(undefined)
    try {
      await work()
      return true
    } catch (failure) {
      setError(failure)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { attempt, isBusy, error }
}
