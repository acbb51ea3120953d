import type { AttributeValue, Item } from '@hashrange/core'
import { useMemo, useState } from 'react'
import { Button } from '../../../components/controls/button.tsx'
import { Notice } from '../../../components/messages/notices.tsx'
import { ValueCell } from '../../../components/values/value-cell.tsx'
import { merged, threeWay, type MergeRow } from '../write/save-item.ts'

export interface ConflictProps {
  readonly base: Item
  /** Undefined if the item was deleted meanwhile. */
  readonly theirs: Item | undefined
  readonly mine: Item
  readonly isNew: boolean
  /** Goes on with this item, over what is there now. */
  readonly onResolve: (item: Item, theirs: Item | undefined) => void
  readonly onBack: () => void
}

/** Somebody else was faster: what was loaded, what is there now and what was made of it here, side by side. */
export function Conflict({ base, theirs, mine, isNew, onResolve, onBack }: ConflictProps) {
  const rows = useMemo(() => threeWay(base, theirs ?? {}, mine), [base, theirs, mine])
  const [choices, setChoices] = useState<ReadonlyMap<string, 'mine' | 'theirs'>>(new Map())
  if (theirs === undefined) {
    return (
      <div className="stack conflict">
        <Notice tone="warning" title="The item has been deleted in the meantime">
          This item is no longer in the table. You can save it again with the values shown here.
        </Notice>
        <div className="row">
          <Button tone="primary" onClick={() => onResolve(mine, undefined)}>
            Save it again
          </Button>
          <Button onClick={onBack}>Back to editing</Button>
        </div>
      </div>
    )
  }
  const choose = (name: string, side: 'mine' | 'theirs'): void => setChoices(new Map(choices).set(name, side))
  const all = (side: 'mine' | 'theirs'): void => setChoices(new Map(rows.map(({ name }) => [name, side])))
  const sideOf = (row: MergeRow): 'mine' | 'theirs' | undefined =>
    choices.get(row.name) ?? (row.isConflict ? undefined : isMine(row) ? 'mine' : 'theirs')
  const open = rows.filter((row) => sideOf(row) === undefined)
  return (
    <div className="stack conflict">
      <Notice
        tone="warning"
        title={
          isNew ? 'An item with this key already exists' : 'Someone else has changed this item in the meantime'
        }
      >
        Nothing was overwritten. Choose a value for each attribute, then save again.
      </Notice>
      <table className="conflict-table">
        <thead>
          <tr>
            <th scope="col">Attribute</th>
            <th scope="col">As loaded</th>
            <th scope="col">In the table now</th>
            <th scope="col">Yours</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name} className={row.isConflict ? 'is-conflict' : ''}>
              <th scope="row" dir="auto">
                {row.name.slice(0, 80)}
              </th>
              <td>
                <Value value={row.base} />
              </td>
              {(['theirs', 'mine'] as const).map((side) => (
                <td key={side}>
                  <label className="conflict-choice">
                    <input
                      type="radio"
                      name={row.name}
                      aria-label={`${row.name.slice(0, 80)}: ${side === 'mine' ? 'yours' : 'in the table now'}`}
                      checked={sideOf(row) === side}
                      onChange={() => choose(row.name, side)}
                    />
                    <Value value={row[side]} />
                  </label>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className="row">
        <Button
          tone="primary"
          disabled={open.length > 0}
          onClick={() => onResolve(merged(base, theirs, mine, choices), theirs)}
        >
          Use these
        </Button>
        <Button onClick={() => all('mine')}>All mine</Button>
        <Button onClick={() => all('theirs')}>All theirs</Button>
        <span className="grow" />
        <Button tone="quiet" onClick={onBack}>
          Back to editing
        </Button>
      </div>
    </div>
  )
}

/** Only one side has changed it: that one is taken unless the user says otherwise. */
function isMine({ base, theirs }: MergeRow): boolean {
  return JSON.stringify(base) === JSON.stringify(theirs)
}

function Value({ value }: { readonly value: AttributeValue | undefined }) {
  return value === undefined ? <span className="value-empty">not there</span> : <ValueCell value={value} />
}
