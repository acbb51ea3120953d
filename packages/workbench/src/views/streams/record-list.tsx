import { useVirtualizer } from '@tanstack/react-virtual'
import { useId, useLayoutEffect, useRef, type KeyboardEvent } from 'react'
import { EntityChip } from '../../components/values/badge.tsx'
import { ChangeSummary } from './change-summary.tsx'
import { EventBadge } from './event-badge.tsx'
import { entityOfRecord, keyTextOf } from './filter-records.ts'
import type { TailedRecord } from './stream-tail.ts'
import { kindOf } from './stream-types.ts'

const rowPx = 32

export interface RecordListProps {
  readonly records: readonly TailedRecord[]
  readonly chosen: string
  readonly onChoose: (eventId: string) => void
}

/** The records, the newest first; only visible ones exist. What is being looked at stays in place while more arrive. */
export function RecordList({ records, chosen, onChoose }: RecordListProps) {
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const newest = useRef<string | undefined>(undefined)
  const virtual = useVirtualizer({
    count: records.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 10,
  })
  useLayoutEffect(() => {
    const known = newest.current
    newest.current = records[0]?.record.eventID
    const element = scroller.current
    if (element === null || known === undefined || element.scrollTop < rowPx) return
    const added = records.findIndex(({ record }) => record.eventID === known)
    if (added > 0) element.scrollTop += added * rowPx
  }, [records])

  const position = records.findIndex(({ record }) => record.eventID === chosen)
  const press = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: position < 0 ? 0 : position + 1,
      ArrowUp: position - 1,
      PageDown: position + 12,
      PageUp: position - 12,
      Home: 0,
      End: records.length - 1,
    }
    const step = steps[event.key]
    if (step === undefined) {
      if (event.key === 'Escape') onChoose('')
      return
    }
    event.preventDefault()
    const next = Math.max(0, Math.min(records.length - 1, step))
    const record = records[next]?.record
    if (record === undefined) return
    virtual.scrollToIndex(next)
    onChoose(record.eventID)
  }
  return (
    <div
      ref={scroller}
      className="stream-list"
      role="listbox"
      aria-label="Records"
      aria-activedescendant={position < 0 ? undefined : `${id}-${chosen}`}
      tabIndex={0}
      onKeyDown={press}
    >
      <div className="stream-rows" role="presentation" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const entry = records[index]
          if (entry === undefined) return null
          const { record } = entry
          const kind = kindOf(record)
          const entity = entityOfRecord(record)
          const key = keyTextOf(record)
          return (
            <div
              key={record.eventID}
              id={`${id}-${record.eventID}`}
              role="option"
              aria-selected={record.eventID === chosen}
              className={`stream-row ${record.eventID === chosen ? 'is-chosen' : ''}`}
              style={{ transform: `translateY(${String(start)}px)` }}
              onClick={() => onChoose(record.eventID)}
            >
              <time className="number stream-time">{clock(record.dynamodb.ApproximateCreationDateTime)}</time>
              <span className="stream-kind">
                <EventBadge kind={kind} />
              </span>
              <span className="stream-entity">{entity !== undefined && <EntityChip name={entity} />}</span>
              <span className="stream-key mono truncate" dir="auto" title={key.slice(0, 500)}>
                {key.slice(0, 300)}
              </span>
              <span className="stream-changes truncate">
                <ChangeSummary record={record} />
              </span>
            </div>
          )
        })}
      </div>
    </div>
  )
}

function clock(seconds: number): string {
  return new Date(seconds * 1000).toLocaleTimeString('en-GB')
}
