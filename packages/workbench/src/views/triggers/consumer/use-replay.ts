import { useState } from 'react'
import type { ReplayAnswer } from '../../../answers/events.ts'
import { ask, scopeQuery } from '../../../api/api.ts'
import { useInfo } from '../../../api/queries.ts'
import { useAttempt } from '../../../components/messages/use-attempt.ts'
import { useScope } from '../../../state/scope.tsx'

export interface ReplayedRecord {
  readonly shardId: string
  readonly sequenceNumber: string
}

export interface Replay {
  readonly answer: ReplayAnswer | undefined
  readonly record: ReplayedRecord | undefined
  readonly error: unknown
  readonly isBusy: boolean
  readonly isReadOnly: boolean
  send(record: ReplayedRecord): void
}

/** Sends a record to the function once more, outside of the trigger. */
export function useReplay(functionName: string, streamArn: string): Replay {
  const scope = useScope()
  const isReadOnly = useInfo()?.readOnly === true
  const { attempt, isBusy, error } = useAttempt()
  const [record, setRecord] = useState<ReplayedRecord>()
  const [answer, setAnswer] = useState<ReplayAnswer>()
  const send = ({ shardId, sequenceNumber }: ReplayedRecord): void => {
    setAnswer(undefined)
    setRecord({ shardId, sequenceNumber })
    void attempt(async () => {
      const body = { functionName, streamArn, shardId, sequenceNumber }
      setAnswer(await ask<ReplayAnswer>(`events/replay?${scopeQuery(scope)}`, body))
    })
  }
  return { answer, record, error, isBusy, isReadOnly, send }
}
