import { useCall, useRefresh } from '../../../api/queries.ts'
import { tell } from '../../../components/messages/toast.tsx'
import { useAttempt } from '../../../components/messages/use-attempt.ts'

/** One change of a table's settings: whether it is under way, and what became of it. */
export function useUpdate() {
  const call = useCall()
  const refresh = useRefresh()
  const { attempt, isBusy, error } = useAttempt()
  const update = (operation: string, input: object, done: string): Promise<boolean> =>
    attempt(async () => {
      await call(operation, input)
      await refresh()
      tell(done)
    })
  return { update, isBusy, error }
}
