import { Unplug } from '../icons/icons.generated.ts'
import { useEffect } from 'react'
import { fetchInfo } from '../api/api.ts'
import { onRecovered, useIsReachable } from '../api/connection.ts'
import { queryClient } from '../api/queries.ts'
import './reconnect.css'

const lookAgainMs = 1500

/** Says that hashrange does not answer, and asks until it does; then everything in sight is fetched again. */
export function Reconnect() {
  const isReachable = useIsReachable()
  useEffect(() => onRecovered(() => void queryClient.invalidateQueries()), [])
  useEffect(() => {
    if (isReachable) return
    const timer = setInterval(() => void fetchInfo().catch(() => undefined), lookAgainMs)
    return () => clearInterval(timer)
  }, [isReachable])
  if (isReachable) return null
  return (
    <p className="reconnect" role="status">
      <Unplug aria-hidden />
      hashrange is not responding. Trying again …
    </p>
  )
}
