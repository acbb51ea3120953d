import { Bookmark, Download, History, Trash2, Upload } from '../../../icons/icons.generated.ts'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { Button, IconButton } from '../../../components/controls/button.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Checkbox, Field, TextInput } from '../../../components/controls/field.tsx'
import { EmptyState } from '../../../components/messages/notices.tsx'
import { saveFile } from '../../../components/save-file.ts'
import { Tabs } from '../../../components/controls/tabs.tsx'
import { tell, tellError } from '../../../components/messages/toast.tsx'
import { scopeText, useScope } from '../../../state/scope.tsx'
import { formatAgo } from '../../../values/format.ts'
import { exportLibrary, importLibrary, without, type KeptQuery } from './query-library.ts'
import { useKeptQueries } from './use-kept-queries.ts'
import './kept-drawer.css'

export interface KeptDrawerProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly table: string | undefined
  readonly first: 'saved' | 'history'
}

/** Saved queries and those that were run, to open again. */
export function KeptDrawer({ isOpen, onClose, table, first }: KeptDrawerProps) {
  const { library, change } = useKeptQueries()
  const [tab, setTab] = useState(first)
  const [isOfAll, setOfAll] = useState(false)
  const [filter, setFilter] = useState('')
  const file = useRef<HTMLInputElement>(null)
  const wanted = filter.toLowerCase()
  const shown = (queries: readonly KeptQuery[]): KeptQuery[] =>
    queries.filter(
      (query) =>
        (isOfAll || table === undefined || query.table === table) &&
        `${query.title} ${query.table}`.toLowerCase().includes(wanted),
    )
  const remove = (query: KeptQuery): void => {
    const before = library
    change((known) => without(known, query.id))
    tell('Removed', { undo: () => change(() => before) })
  }
  const read = (chosen: File | undefined): void => {
    chosen
      ?.text()
      .then((text) => {
        const { library: next, added } = importLibrary(library, text)
        change(() => next)
        tell(`${String(added)} saved queries added`)
      })
      .catch(tellError)
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      shape="drawer"
      title="Queries"
      description="Stored in this browser, for this account and region."
      actions={
        <>
          <input
            ref={file}
            type="file"
            accept="application/json,.json"
            className="visually-hidden"
            aria-label="File with queries"
            tabIndex={-1}
            onChange={(event) => {
              read(event.target.files?.[0])
              event.target.value = ''
            }}
          />
          <Button icon={<Upload />} onClick={() => file.current?.click()}>
            Import
          </Button>
          <Button
            icon={<Download />}
            disabled={library.saved.length + library.history.length === 0}
            onClick={() =>
              saveFile(new Blob([exportLibrary(library)], { type: 'application/json' }), 'hashrange-queries.json')
            }
          >
            Export
          </Button>
        </>
      }
    >
      <div className="stack kept">
        <Field label="Find">
          <TextInput
            value={filter}
            placeholder="a name, a key, a table"
            onChange={(event) => setFilter(event.target.value)}
          />
        </Field>
        {table !== undefined && (
          <Checkbox label="All tables" checked={isOfAll} onChange={(event) => setOfAll(event.target.checked)} />
        )}
        <Tabs
          label="Queries"
          value={tab}
          onChange={setTab}
          tabs={[
            {
              value: 'saved' as const,
              label: `Saved (${String(shown(library.saved).length)})`,
              content: <KeptList queries={shown(library.saved)} kind="saved" onRemove={remove} onDone={onClose} />,
            },
            {
              value: 'history' as const,
              label: `History (${String(shown(library.history).length)})`,
              content: (
                <KeptList queries={shown(library.history)} kind="history" onRemove={remove} onDone={onClose} />
              ),
            },
          ]}
        />
      </div>
    </Dialog>
  )
}

function KeptList({
  queries,
  kind,
  onRemove,
  onDone,
}: {
  readonly queries: readonly KeptQuery[]
  readonly kind: 'saved' | 'history'
  readonly onRemove: (query: KeptQuery) => void
  readonly onDone: () => void
}) {
  const [, navigate] = useLocation()
  const scope = useScope()
  if (queries.length === 0) {
    return kind === 'saved' ? (
      <EmptyState icon={<Bookmark />} title="Nothing saved yet">
        When you save a query, it is listed here with everything you filled in.
      </EmptyState>
    ) : (
      <EmptyState icon={<History />} title="Nothing run yet">
        The queries you run are listed here, newest first.
      </EmptyState>
    )
  }
  return (
    <ul className="kept-list">
      {queries.map((query) => (
        <li key={query.id}>
          <button
            type="button"
            className="kept-open"
            onClick={() => {
              onDone()
              const scoped = new URLSearchParams({ scope: scopeText(scope) })
              const path =
                query.table === '' ? `/${query.view}` : `/${query.view}/${encodeURIComponent(query.table)}`
              navigate(`${path}?${scoped.toString()}&${query.search}`)
            }}
          >
            <span className="kept-title">{query.title}</span>
            <span className="muted">
              {query.view === 'partiql' ? 'PartiQL' : 'Query'}
              {query.table !== '' && ` · ${query.table}`} · {formatAgo(query.at / 1000)}
            </span>
          </button>
          <IconButton
            label={`Remove ${query.title.slice(0, 60)}`}
            icon={<Trash2 />}
            onClick={() => onRemove(query)}
          />
        </li>
      ))}
    </ul>
  )
}
