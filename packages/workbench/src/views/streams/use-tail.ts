import { useCallback, useEffect, useRef, useState } from 'react'
import { useCall } from '../../api/queries.ts'
import { emptyBuffer, Rate, withRecords, type BufferState } from './record-buffer.ts'
import { StreamTail, type TailRound, type TailStart } from './stream-tail.ts'

const roundMs = 700
const soonMs = 30
const afterErrorMs = 3_000

export interface Tail extends BufferState {
  readonly perSecond: number
  readonly shards: { readonly open: number; readonly all: number }
  readonly error: unknown
  /** Whether a first round was made: from then on, an empty list means that there is nothing. */
  readonly hasRead: boolean
  readonly clear: () => void
}

/** One stream that is followed, and the round that is under way. */
interface Following {
  readonly tail: StreamTail
  readonly rate: Rate
  readonly stopping: AbortController
  round: Promise<TailRound> | undefined
}

/** Follows a stream while the component is mounted and not paused. Rounds never overlap: slow ones are less frequent.
 *  While paused nothing is requested, and nothing is lost: it continues where it was. */
export function useTail(streamArn: string, start: TailStart, isPaused: boolean): Tail {
  const call = useCall()
  const startText = JSON.stringify(start)
  const [state, setState] = useState<BufferState>(emptyBuffer)
  const [error, setError] = useState<unknown>(null)
  const [hasRead, setHasRead] = useState(false)
  const [shards, setShards] = useState({ open: 0, all: 0 })
  const [perSecond, setPerSecond] = useState(0)
  const following = useRef<Following | undefined>(undefined)

  useEffect(() => {
    const stopping = new AbortController()
    following.current = {
      tail: new StreamTail(call, streamArn, JSON.parse(startText) as TailStart),
      rate: new Rate(),
      stopping,
      round: undefined,
    }
    setState(emptyBuffer)
    setError(null)
    setHasRead(false)
    setPerSecond(0)
    return () => stopping.abort()
  }, [call, streamArn, startText])

  useEffect(() => {
    const current = following.current
    if (isPaused || current === undefined) return
    const { tail, rate, stopping } = current
    let isStopped = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const follow = async (): Promise<void> => {
      let waitMs = roundMs
      // A round that was under way when it was paused is not given up: what it has read would be lost.
      const isMine = current.round === undefined
      const round = (current.round ??= tail.round(stopping.signal))
      try {
        const { records, hasMore, hasGap, skipped } = await round
        if (stopping.signal.aborted) return
        if (isMine) {
          rate.add(Date.now(), records.length)
          setPerSecond(rate.perSecond(Date.now()))
          if (records.length > 0 || skipped > 0 || hasGap) {
            setState((known) => withRecords(known, records, { skipped, hasGap }))
          }
          setShards(tail.shardCount)
        }
        setError(null)
        if (hasMore) waitMs = soonMs
      } catch (problem) {
        if (stopping.signal.aborted) return
        setError(problem)
        waitMs = afterErrorMs
      }
      if (isMine) current.round = undefined
      setHasRead(true)
      if (!isStopped) timer = setTimeout(() => void follow(), waitMs)
    }
    void follow()
    return () => {
      isStopped = true
      clearTimeout(timer)
    }
  }, [isPaused, call, streamArn, startText])

  const clear = useCallback(() => setState(emptyBuffer), [])
  return { ...state, perSecond, shards, error, hasRead, clear }
}
