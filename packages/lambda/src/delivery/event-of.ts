import type { SourceRecord } from '../sources/shard-source.ts'
import type { WindowState } from '../mappings/mapping-record.ts'

const opening = Buffer.from('{"Records":[')
const comma = Buffer.from(',')
const closing = Buffer.from(']}')

/** The event of a batch. Records are JSON already, and are copied. */
export function eventOf(records: readonly SourceRecord[], window?: EventWindow): Buffer {
  const pieces: Buffer[] = [opening]
  for (const [index, { json }] of records.entries()) {
    if (index > 0) pieces.push(comma)
    pieces.push(json)
  }
  if (window === undefined) return Buffer.concat([...pieces, closing])
  const { shardId, sourceArn, tumblingMs, isFinal, current } = window
  const about = JSON.stringify({
    window: {
      start: new Date(current.startMs).toISOString(),
      end: new Date(current.startMs + tumblingMs).toISOString(),
    },
    shardId,
    eventSourceARN: sourceArn,
    isFinalInvokeForWindow: isFinal,
    isWindowTerminatedEarly: false,
  })
  return Buffer.concat([...pieces, Buffer.from(`],"state":${current.state},${about.slice(1)}`)])
}

/** The tumbling window that a batch is in. */
export interface EventWindow {
  readonly shardId: string
  readonly sourceArn: string
  readonly tumblingMs: number
  /** Whether this is the last call for the window. */
  readonly isFinal: boolean
  readonly current: WindowState
}
