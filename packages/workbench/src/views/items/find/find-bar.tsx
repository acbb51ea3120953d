import { ArrowDownUp, X } from '../../../icons/icons.generated.ts'
import { useEffect, useRef, useState } from 'react'
import { typeOfKey, type SourceKeys } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'
import { IconButton } from '../../../components/controls/button.tsx'
import { TextInput } from '../../../components/controls/field.tsx'

export interface FindValues {
  readonly partition: readonly string[]
  readonly sort: string
  readonly isDescending: boolean
}

export interface FindBarProps {
  readonly table: TableDescription
  readonly keys: SourceKeys
  readonly value: FindValues
  readonly onChange: (value: FindValues) => void
  readonly mistake: string | undefined
}

/** How long after the last key press the request is sent. */
const pauseMs = 250

/** Finds items by their key as it is typed: the partition key whole, the sort key by its beginning. */
export function FindBar({ table, keys, value, onChange, mistake }: FindBarProps) {
  const [typed, setTyped] = useState(value)
  const latest = useRef({ value, onChange })
  latest.current = { value, onChange }
  const written = JSON.stringify(value)
  useEffect(() => setTyped(latest.current.value), [written])
  useEffect(() => {
    if (JSON.stringify(typed) === JSON.stringify(latest.current.value)) return
    const timer = setTimeout(() => latest.current.onChange(typed), pauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  const [sortName] = keys.sort
  const isNumber = sortName !== undefined && typeOfKey(table, sortName) === 'N'
  const isUsed = typed.partition.some((text) => text !== '') || typed.sort !== ''
  const now = (): void => latest.current.onChange(typed)
  return (
    <div className="find-bar" role="search" aria-label="Find by key">
      {keys.partition.map((name, at) => (
        <label key={name} className="find-field">
          <span className="find-name truncate">{name} =</span>
          <TextInput
            className="find-input"
            data-find={at === 0 ? 'partition' : undefined}
            aria-label={`Partition key ${name}`}
            aria-invalid={mistake === undefined ? undefined : true}
            placeholder="full partition key"
            spellCheck={false}
            value={typed.partition[at] ?? ''}
            onChange={(event) => {
              const partition = keys.partition.map((_, other) =>
                other === at ? event.target.value : (typed.partition[other] ?? ''),
              )
              setTyped({ ...typed, partition })
            }}
            onKeyDown={(event) => event.key === 'Enter' && now()}
          />
        </label>
      ))}
      {sortName !== undefined && (
        <label className="find-field">
          <span className="find-name truncate">
            {sortName} {isNumber ? '=' : 'begins with'}
          </span>
          <TextInput
            className="find-input"
            aria-label={`Sort key ${sortName}`}
            spellCheck={false}
            value={typed.sort}
            disabled={!typed.partition.some((text) => text !== '')}
            onChange={(event) => setTyped({ ...typed, sort: event.target.value })}
            onKeyDown={(event) => event.key === 'Enter' && now()}
          />
        </label>
      )}
      {isUsed && (
        <>
          {sortName !== undefined && (
            <IconButton
              label={typed.isDescending ? 'Sort ascending' : 'Sort descending'}
              icon={<ArrowDownUp />}
              aria-pressed={typed.isDescending}
              onClick={() => latest.current.onChange({ ...typed, isDescending: !typed.isDescending })}
            />
          )}
          <IconButton
            label="Clear key"
            icon={<X />}
            onClick={() => latest.current.onChange({ partition: [], sort: '', isDescending: false })}
          />
        </>
      )}
    </div>
  )
}
