import { typeOf } from '@hashrange/core'
import { useState } from 'react'
import type { AttributeValue } from '../../api-types.ts'
import { Button } from '../../components/controls/button.tsx'
import { TypeTag } from '../../components/values/value-cell.tsx'
import { ValueView } from '../../components/values/value-view.tsx'
import type { Difference } from './diff-items.ts'

const signs = { added: '+', removed: '−', changed: '~', same: '' } as const
const words = { added: 'added', removed: 'removed', changed: 'changed', same: 'unchanged' } as const
const firstShown = 100

/** Differences below each other, marked with a sign as well as a colour. Maps and lists show which of their parts
 *  have changed. */
export function DifferenceView({
  differences,
  showsSame,
  depth = 0,
}: {
  readonly differences: readonly Difference[]
  readonly showsSame: boolean
  readonly depth?: number
}) {
  const [shown, setShown] = useState(firstShown)
  const listed = showsSame ? differences : differences.filter(({ kind }) => kind !== 'same')
  return (
    <ul
      className={`stream-diff ${depth > 0 ? 'is-nested' : ''}`}
      aria-label={depth === 0 ? 'Differences' : undefined}
    >
      {listed.slice(0, shown).map((difference, position) => (
        <DifferenceEntry
          key={`${difference.name}/${String(position)}`}
          difference={difference}
          showsSame={showsSame}
          depth={depth}
        />
      ))}
      {listed.length > shown && (
        <li>
          <Button onClick={() => setShown(shown + 500)}>Show {listed.length - shown} more</Button>
        </li>
      )}
    </ul>
  )
}

function DifferenceEntry({
  difference: { name, kind, before, after, parts },
  showsSame,
  depth,
}: {
  readonly difference: Difference
  readonly showsSame: boolean
  readonly depth: number
}) {
  const value = after ?? before
  const hasNewType = before !== undefined && after !== undefined && typeOf(before) !== typeOf(after)
  return (
    <li className={`stream-diff-entry stream-diff-${kind} ${name === '' ? 'is-member' : ''}`}>
      <span className="stream-diff-sign" aria-hidden>
        {signs[kind]}
      </span>
      <div className="stream-diff-content">
        <span className="visually-hidden">{words[kind]}</span>
        {name !== '' && (
          <div className="stream-diff-name">
            <span className="mono" dir="auto">
              {name.slice(0, 200)}
            </span>
            {hasNewType && (
              <>
                <TypeTag type={typeOf(before)} /> <span className="muted">→</span>
              </>
            )}
            {value !== undefined && <TypeTag type={typeOf(value)} />}
          </div>
        )}
        {parts !== undefined ? (
          <DifferenceView differences={parts} showsSame={showsSame} depth={depth + 1} />
        ) : kind === 'changed' ? (
          <>
            <ValueLine side="before" value={before} />
            <ValueLine side="after" value={after} />
          </>
        ) : (
          <ValueLine side={kind === 'removed' ? 'before' : kind === 'added' ? 'after' : 'same'} value={value} />
        )}
      </div>
    </li>
  )
}

function ValueLine({
  side,
  value,
}: {
  readonly side: 'before' | 'after' | 'same'
  readonly value: AttributeValue | undefined
}) {
  if (value === undefined) return null
  return (
    <div className={`stream-diff-value stream-diff-value-${side}`}>
      {side !== 'same' && <span className="visually-hidden">{side === 'before' ? 'was' : 'is'}</span>}
      <ValueView value={value} depth={1} />
    </div>
  )
}
