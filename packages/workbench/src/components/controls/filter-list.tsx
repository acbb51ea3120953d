import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Keys } from './keys.tsx'
import './filter-list.css'

export interface FilterEntry {
  readonly id: string
  readonly label: string
  /** A heading, over the entries that share it. */
  readonly group?: string | undefined
  readonly detail?: ReactNode
  readonly icon?: ReactNode
  readonly shortcut?: string | undefined
  readonly keywords?: string | undefined
  readonly isChosen?: boolean
  readonly onSelect: () => void
}

export interface FilterListProps {
  readonly label: string
  readonly placeholder: string
  readonly entries: readonly FilterEntry[]
  readonly empty: ReactNode
  /** Called after an entry was chosen. */
  readonly onDone: () => void
}

type Line =
  { readonly kind: 'group'; readonly name: string } | { readonly kind: 'entry'; readonly entry: FilterEntry }

/** A list that is narrowed by typing and walked with the arrow keys. Thousands of entries are fine. */
export function FilterList({ label, placeholder, entries, empty, onDone }: FilterListProps) {
  const id = useId()
  const [filter, setFilter] = useState('')
  const [active, setActive] = useState(0)
  const scroller = useRef<HTMLDivElement>(null)
  const found = useMemo(() => narrow(entries, filter), [entries, filter])
  const lines = useMemo(() => withGroups(found), [found])
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (position) => (lines[position]?.kind === 'group' ? 28 : 34),
    overscan: 8,
  })
  const activeEntry = found[Math.min(active, found.length - 1)]
  useEffect(() => {
    const position = lines.findIndex((line) => line.kind === 'entry' && line.entry === activeEntry)
    if (position >= 0) virtual.scrollToIndex(position === 1 ? 0 : position)
  }, [activeEntry, lines, virtual])

  const select = (entry: FilterEntry): void => {
    onDone()
    entry.onSelect()
  }
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setActive(clamp(Math.min(active, found.length - 1) + step, found.length))
    } else if (event.key === 'Enter' && activeEntry !== undefined) {
      event.preventDefault()
      select(activeEntry)
    }
  }
  return (
    <div className="filter-list">
      <input
        className="filter-input"
        role="combobox"
        aria-expanded
        aria-label={label}
        aria-controls={`${id}-list`}
        aria-activedescendant={activeEntry === undefined ? undefined : `${id}-${activeEntry.id}`}
        placeholder={placeholder}
        value={filter}
        spellCheck={false}
        autoFocus
        onChange={(event) => {
          setFilter(event.target.value)
          setActive(0)
        }}
        onKeyDown={press}
      />
      <div ref={scroller} id={`${id}-list`} role="listbox" aria-label={label} className="filter-scroller">
        {found.length === 0 && <p className="filter-empty">{empty}</p>}
        <div className="filter-lines" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, size }) => {
            const line = lines[index]
            if (line === undefined) return null
            const place = { transform: `translateY(${String(start)}px)`, height: size }
            if (line.kind === 'group') {
              return (
                <div key={`group:${line.name}`} className="filter-group" style={place} role="presentation">
                  {line.name}
                </div>
              )
            }
            const { entry } = line
            return (
              <div
                key={entry.id}
                id={`${id}-${entry.id}`}
                role="option"
                aria-selected={entry === activeEntry}
                className={`filter-entry ${entry === activeEntry ? 'is-active' : ''}`}
                style={place}
                onPointerMove={() => setActive(found.indexOf(entry))}
                onClick={() => select(entry)}
              >
                {entry.icon}
                <span className="truncate">{entry.label}</span>
                {entry.isChosen === true && <span aria-label="chosen">✓</span>}
                <span className="grow" />
                {entry.detail !== undefined && <span className="filter-detail">{entry.detail}</span>}
                {entry.shortcut !== undefined && <Keys keys={entry.shortcut} />}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

function clamp(position: number, count: number): number {
  return Math.max(0, Math.min(count - 1, position))
}

/** Every typed word must be found; entries whose name begins with the first come first. */
function narrow(entries: readonly FilterEntry[], filter: string): readonly FilterEntry[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const [first] = words
  if (first === undefined) return entries
  const found = entries.filter(({ label, group, keywords }) => {
    const text = `${label} ${group ?? ''} ${keywords ?? ''}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const rank = ({ label }: FilterEntry): number => {
    const lower = label.toLowerCase()
    return lower.startsWith(first) ? 0 : lower.includes(first) ? 1 : 2
  }
  return found.toSorted((a, b) => rank(a) - rank(b))
}

function withGroups(entries: readonly FilterEntry[]): Line[] {
  const groups = Map.groupBy(entries, ({ group }) => group ?? '')
  return [...groups].flatMap(([name, members]): Line[] => [
    ...(name === '' ? [] : [{ kind: 'group', name } as const]),
    ...members.map((entry) => ({ kind: 'entry', entry }) as const),
  ])
}
