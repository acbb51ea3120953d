import { Download, Eraser, Pause, Play } from '../../icons/icons.generated.ts'
import { useCallback, useMemo, useRef, useState } from 'react'
import type { TableDescription } from '../../api-types.ts'
import { useCommands } from '../../commands/commands.ts'
import { BackTitle } from '../../components/page/back-title.tsx'
import { Badge } from '../../components/values/badge.tsx'
import { Button, IconButton } from '../../components/controls/button.tsx'
import { ErrorBox, Notice } from '../../components/messages/notices.tsx'
import { Page } from '../../components/page/page.tsx'
import { saveFile } from '../../components/save-file.ts'
import { Tooltip } from '../../components/controls/tooltip.tsx'
import { useLink } from '../../state/links.ts'
import { useUrlState } from '../../state/url-state.ts'
import { formatCount, formatUnits, plural } from '../../values/format.ts'
import { entitiesOf, filterRecords } from './filter-records.ts'
import { toJsonLines } from './json-lines.ts'
import { NoRecords } from './no-records.tsx'
import { RecordDetail } from './record-detail.tsx'
import { RecordList } from './record-list.tsx'
import { noKinds, startOf, streamSchema } from './stream-schema.ts'
import { keyFilterId, StreamToolbar } from './stream-toolbar.tsx'
import { useTail, type Tail } from './use-tail.ts'

export interface StreamViewProps {
  readonly table: TableDescription
  readonly streamArn: string
  readonly isEnabled: boolean
  readonly viewType: string | undefined
}

/** A stream as it flows. */
export function StreamView({ table, streamArn, isEnabled, viewType }: StreamViewProps) {
  const [url, setUrl] = useUrlState(streamSchema)
  const start = startOf(url.from, url.at)
  const [isPaused, setPaused] = usePause(JSON.stringify(start))
  const tail = useTail(streamArn, start, isPaused)
  const link = useLink()
  const shown = useMemo(
    () => filterRecords(tail.records, { kinds: url.events, key: url.key, text: url.text, entity: url.entity }),
    [tail.records, url.events, url.key, url.text, url.entity],
  )
  const entities = useMemo(() => entitiesOf(tail.records), [tail.records])
  const chosen = url.record === '' ? undefined : tail.records.find(({ record }) => record.eventID === url.record)
  const choose = useCallback((eventId: string) => setUrl({ record: eventId }), [setUrl])
  const save = useCallback(() => {
    const lines = new Blob([toJsonLines(shown)], { type: 'application/x-ndjson' })
    saveFile(lines, `${table.TableName}-stream.jsonl`)
  }, [table, shown])
  useStreamCommands({
    isPaused,
    toggle: () => setPaused(!isPaused),
    clear: tail.clear,
    save,
    focusFilter: () => document.getElementById(keyFilterId)?.focus(),
  })
  return (
    <Page
      title={
        <BackTitle href={link('streams')} backTo="All streams">
          Stream of {table.TableName}
        </BackTitle>
      }
      aside={<Flow tail={tail} isPaused={isPaused} viewType={viewType} />}
      actions={
        <>
          <IconButton
            label={`Save the ${plural(shown.length, 'record')} shown as JSON lines`}
            icon={<Download />}
            disabled={shown.length === 0}
            onClick={save}
          />
          <IconButton
            label="Clear the list"
            icon={<Eraser />}
            disabled={tail.received === 0}
            onClick={tail.clear}
          />
          <Tooltip text={isPaused ? 'Resume' : 'Pause'} shortcut="P">
            <Button
              icon={isPaused ? <Play /> : <Pause />}
              aria-pressed={isPaused}
              onClick={() => setPaused(!isPaused)}
            >
              {isPaused ? 'Resume' : 'Pause'}
            </Button>
          </Tooltip>
        </>
      }
      toolbar={<StreamToolbar entities={entities} />}
      layout="fill"
    >
      <div className="stream-notices">
        {tail.error !== null && <ErrorBox error={tail.error} />}
        {!isEnabled && <Notice>This stream is turned off. Its records can be read for 24 hours.</Notice>}
        {tail.hasGap && (
          <Notice tone="warning">
            Some records are missing: they were older than 24 hours before they could be read here.
          </Notice>
        )}
      </div>
      <div className={`stream-split ${chosen === undefined ? '' : 'has-detail'}`}>
        {shown.length === 0 ? (
          <NoRecords
            tail={tail}
            isPaused={isPaused}
            table={table}
            onShowOldest={() => setUrl({ from: 'oldest' })}
            onShowAll={() => setUrl({ events: noKinds, key: '', text: '', entity: '' })}
          />
        ) : (
          <RecordList records={shown} chosen={url.record} onChoose={choose} />
        )}
        {chosen !== undefined && (
          <RecordDetail
            key={chosen.record.eventID}
            table={table.TableName}
            entry={chosen}
            onClose={() => choose('')}
          />
        )}
      </div>
      <Foot tail={tail} shown={shown.length} />
    </Page>
  )
}

function Flow({
  tail,
  isPaused,
  viewType,
}: {
  readonly tail: Tail
  readonly isPaused: boolean
  readonly viewType: string | undefined
}) {
  return (
    <>
      {viewType !== undefined && <Badge>{viewType.toLowerCase().replaceAll('_', ' ')}</Badge>}
      <span className={`stream-live ${isPaused ? 'is-paused' : ''}`} aria-hidden />
      <span className="number">{isPaused ? 'paused' : `${formatUnits(tail.perSecond)} records/s`}</span>
    </>
  )
}

/** Pauses reading. Choosing another start position unpauses it. */
function usePause(start: string) {
  const [pausedStart, setPausedStart] = useState<string>()
  if (pausedStart !== undefined && pausedStart !== start) setPausedStart(undefined)
  const setPaused = (isPaused: boolean): void => setPausedStart(isPaused ? start : undefined)
  return [pausedStart === start, setPaused] as const
}

/** How much of what came is here: memory is bounded. */
function Foot({ tail, shown }: { readonly tail: Tail; readonly shown: number }) {
  const { records, received, dropped, skipped, shards } = tail
  return (
    <div className="stream-foot number" role="status">
      <span>
        {shown === records.length
          ? plural(shown, 'record')
          : `${formatCount(shown)} of ${plural(records.length, 'record')}`}
      </span>
      {received > records.length && <span>{formatCount(received)} received</span>}
      {dropped > 0 && <span>the oldest {formatCount(dropped)} were dropped to save memory</span>}
      {skipped > 0 && <span>{formatCount(skipped)} older ones skipped</span>}
      <span className="grow" />
      {tail.hasRead ? (
        <span>
          {plural(shards.open, 'open shard')}
          {shards.all > shards.open && ` of ${formatCount(shards.all)}`}
        </span>
      ) : (
        <span>opening the shards…</span>
      )}
    </div>
  )
}

interface StreamActions {
  readonly isPaused: boolean
  readonly toggle: () => void
  readonly clear: () => void
  readonly save: () => void
  readonly focusFilter: () => void
}

function useStreamCommands(actions: StreamActions): void {
  // The actions are new with each render: the commands look them up when they are run.
  const latest = useRef(actions)
  latest.current = actions
  const { isPaused } = actions
  useCommands(
    useMemo(
      () => [
        {
          id: 'stream-live',
          title: isPaused ? 'Resume the stream' : 'Pause the stream',
          group: 'Streams',
          shortcut: 'P',
          run: () => latest.current.toggle(),
        },
        {
          id: 'stream-clear',
          title: 'Clear the list',
          group: 'Streams',
          shortcut: 'X',
          run: () => latest.current.clear(),
        },
        {
          id: 'stream-save',
          title: 'Save what is shown as JSON lines',
          group: 'Streams',
          run: () => latest.current.save(),
        },
        {
          id: 'stream-filter',
          title: 'Filter the records',
          group: 'Streams',
          shortcut: '/',
          run: () => latest.current.focusFilter(),
        },
      ],
      [isPaused],
    ),
  )
}
