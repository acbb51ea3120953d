import { Choice, Select, TextInput } from '../../components/controls/field.tsx'
import { useUrlState } from '../../state/url-state.ts'
import { EventBadge } from './event-badge.tsx'
import { streamSchema } from './stream-schema.ts'
import { eventKinds, type EventKind } from './stream-types.ts'

/** Where the shortcut of the filter goes to. */
export const keyFilterId = 'stream-key-filter'

/** Where reading begins, and what of it is shown. */
export function StreamToolbar({ entities }: { readonly entities: readonly string[] }) {
  const [url, setUrl] = useUrlState(streamSchema)
  const toggle = (kind: EventKind): void => {
    const next = url.events.includes(kind) ? url.events.filter((one) => one !== kind) : [...url.events, kind]
    setUrl({ events: next.length === eventKinds.length ? [] : eventKinds.filter((one) => next.includes(one)) })
  }
  return (
    <>
      <Choice
        shape="segments"
        label="Start from"
        value={url.from}
        options={[
          { value: 'latest', label: 'From now' },
          { value: 'oldest', label: 'All 24 hours' },
          { value: 'time', label: 'Since…' },
        ]}
        onChange={(from) => setUrl({ from, ...(from === 'time' && url.at === '' && { at: anHourAgo() }) })}
      />
      {url.from === 'time' && (
        <TextInput
          type="datetime-local"
          className="stream-at"
          aria-label="Since when"
          value={url.at}
          onChange={(event) => setUrl({ at: event.target.value })}
        />
      )}
      <div className="stream-kinds" role="group" aria-label="Events">
        {eventKinds.map((kind) => (
          <button
            key={kind}
            type="button"
            className="stream-kind-toggle"
            aria-pressed={url.events.includes(kind)}
            onClick={() => toggle(kind)}
          >
            <EventBadge kind={kind} />
          </button>
        ))}
      </div>
      <TextInput
        id={keyFilterId}
        type="search"
        className="stream-filter"
        aria-label="Filter by key"
        placeholder="Key contains"
        spellCheck={false}
        value={url.key}
        onChange={(event) => setUrl({ key: event.target.value })}
      />
      <TextInput
        type="search"
        className="stream-filter"
        aria-label="Filter by attributes"
        placeholder="Attribute contains"
        spellCheck={false}
        value={url.text}
        onChange={(event) => setUrl({ text: event.target.value })}
      />
      {(entities.length > 0 || url.entity !== '') && (
        <Select
          aria-label="Filter by entity"
          className="stream-entity-filter"
          value={url.entity}
          options={[
            { value: '', label: 'All entities' },
            ...[...new Set([...entities, ...(url.entity === '' ? [] : [url.entity])])].toSorted(),
          ]}
          onChange={(entity) => setUrl({ entity })}
        />
      )}
    </>
  )
}

/** As a field of date and time has it, in the user's own time zone. */
function anHourAgo(): string {
  const date = new Date(Date.now() - 3_600_000)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
