import { RotateCcw } from '../../../icons/icons.generated.ts'
import { useMemo, useState } from 'react'
import { Button } from '../../../components/controls/button.tsx'
import { TextInput } from '../../../components/controls/field.tsx'
import { ErrorBox, Skeleton } from '../../../components/messages/notices.tsx'
import { ScrollRegion } from '../../../components/page/scroll-region.tsx'
import '../../../components/page/plain-table.css'
import { formatTime } from '../../../values/format.ts'
import { EventBadge } from '../../streams/event-badge.tsx'
import { filterRecords, keyTextOf } from '../../streams/filter-records.ts'
import { kindOf } from '../../streams/stream-types.ts'
import { useTail } from '../../streams/use-tail.ts'
import { ReplayResult } from './replay-result.tsx'
import { useReplay } from './use-replay.ts'

const mostShown = 50
const oldest = { kind: 'oldest' } as const

/** The records of the stream, the newest first, each of which can be sent to the function again. */
export function ReplayRecords({
  functionName,
  streamArn,
}: {
  readonly functionName: string
  readonly streamArn: string
}) {
  const tail = useTail(streamArn, oldest, false)
  const [key, setKey] = useState('')
  const replay = useReplay(functionName, streamArn)
  const found = useMemo(
    () => filterRecords(tail.records, { kinds: [], key, text: '', entity: '' }).slice(0, mostShown),
    [tail.records, key],
  )
  return (
    <div className="stack">
      <div className="trigger-bar">
        <TextInput
          type="search"
          aria-label="Filter records by key"
          placeholder="Filter by key"
          value={key}
          onChange={(event) => setKey(event.target.value)}
        />
        <p className="muted">
          The function gets the record once more, and processes it like any other. The trigger’s own progress stays
          as it is.
        </p>
      </div>
      {tail.error !== null && <ErrorBox error={tail.error} />}
      <ReplayResult replay={replay} />
      {!tail.hasRead && <Skeleton lines={4} />}
      {tail.hasRead && found.length === 0 && (
        <p className="muted">{key === '' ? 'The stream has no records.' : 'No record has this in its key.'}</p>
      )}
      {found.length > 0 && (
        <ScrollRegion label="Records, scrolled" className="trigger-batches">
          <table className="plain-table" aria-label="Records">
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Event</th>
                <th scope="col">Key</th>
                <th scope="col">
                  <span className="visually-hidden">Replay</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {found.map(({ record, shardId }) => (
                <tr key={record.eventID}>
                  <td className="number">{formatTime(record.dynamodb.ApproximateCreationDateTime)}</td>
                  <td>
                    <EventBadge kind={kindOf(record)} />
                  </td>
                  <td className="mono" dir="auto">
                    {keyTextOf(record).slice(0, 200)}
                  </td>
                  <td className="is-end">
                    <Button
                      icon={<RotateCcw />}
                      disabled={replay.isBusy || replay.isReadOnly}
                      title={replay.isReadOnly ? 'This workbench is read-only.' : undefined}
                      onClick={() => replay.send({ shardId, sequenceNumber: record.dynamodb.SequenceNumber })}
                    >
                      Send again
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </div>
  )
}
