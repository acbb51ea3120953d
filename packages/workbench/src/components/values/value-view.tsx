import { typeOf } from '@hashrange/core'
import { useState } from 'react'
import type { AttributeValue, Item } from '../../api-types.ts'
import { formatBytes, plural } from '../../values/format.ts'
import { previewOf } from '../../values/preview.ts'
import { Button } from '../controls/button.tsx'
import { TypeTag } from './value-cell.tsx'
import './value-view.css'

const firstCharacters = 2_000
const moreCharacters = 50_000
const firstEntries = 100

/** A whole item to look through: maps and lists open and close, long text comes in pieces, text is only ever text. */
export function ItemView({ item }: { readonly item: Item }) {
  return <Entries entries={Object.entries(item)} depth={0} />
}

export function ValueView({ value, depth = 0 }: { readonly value: AttributeValue; readonly depth?: number }) {
  if ('S' in value) return <LongText text={value.S} className="value-s" />
  if ('B' in value) return <LongText text={value.B} className="value-b" />
  if ('M' in value) return <Entries entries={Object.entries(value.M)} depth={depth + 1} />
  if ('L' in value)
    return <Entries entries={value.L.map((element, at) => [String(at), element])} depth={depth + 1} />
  const members = 'SS' in value ? value.SS : 'NS' in value ? value.NS : 'BS' in value ? value.BS : undefined
  if (members !== undefined) {
    return (
      <span className="value-members">
        {members.slice(0, firstEntries).map((member) => (
          <span key={member} className="value-member" dir="auto">
            {member.slice(0, firstCharacters)}
          </span>
        ))}
        {members.length > firstEntries && (
          <span className="muted">and {plural(members.length - firstEntries, 'more', 'more')}</span>
        )}
      </span>
    )
  }
  return <span className={`value-${typeOf(value).toLowerCase()}`}>{previewOf(value)}</span>
}

function Entries({
  entries,
  depth,
}: {
  readonly entries: readonly (readonly [string, AttributeValue])[]
  readonly depth: number
}) {
  const [shown, setShown] = useState(firstEntries)
  if (entries.length === 0) return <span className="muted">empty</span>
  return (
    <ul className={`value-tree ${depth > 0 ? 'is-nested' : ''}`}>
      {entries.slice(0, shown).map(([name, value]) => (
        <Entry key={name} name={name} value={value} depth={depth} />
      ))}
      {entries.length > shown && (
        <li>
          <Button onClick={() => setShown(shown + 500)}>
            Show more of {plural(entries.length - shown, 'entry', 'entries')}
          </Button>
        </li>
      )}
    </ul>
  )
}

function Entry({
  name,
  value,
  depth,
}: {
  readonly name: string
  readonly value: AttributeValue
  readonly depth: number
}) {
  const isNested = 'M' in value || 'L' in value
  const [isOpen, setOpen] = useState(depth < 1)
  return (
    <li className="value-entry">
      <div className="value-entry-head">
        <span className="value-name" dir="auto" title={name.slice(0, 500)}>
          {name.slice(0, 200)}
        </span>
        <TypeTag type={typeOf(value)} />
        {isNested ? (
          <button type="button" className="value-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'close' : previewOf(value, 60)}
          </button>
        ) : (
          <ValueView value={value} depth={depth} />
        )}
      </div>
      {isNested && isOpen && <ValueView value={value} depth={depth} />}
    </li>
  )
}

function LongText({ text, className }: { readonly text: string; readonly className: string }) {
  const [shown, setShown] = useState(firstCharacters)
  if (text === '') return <span className="value-empty">empty</span>
  return (
    <span className={`value-text ${className}`} dir="auto">
      {text.slice(0, shown)}
      {text.length > shown && (
        <button type="button" className="value-toggle" onClick={() => setShown(shown + moreCharacters)}>
          … {formatBytes(text.length - shown)} more
        </button>
      )}
    </span>
  )
}
