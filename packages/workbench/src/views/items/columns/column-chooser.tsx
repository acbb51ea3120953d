import { Popover } from '@base-ui/react/popover'
import { ArrowDown, ArrowUp, Columns3 } from '../../../icons/icons.generated.ts'
import { useState } from 'react'
import { Button, IconButton } from '../../../components/controls/button.tsx'
import { Checkbox, TextInput } from '../../../components/controls/field.tsx'
import { moveColumn, noWishes, toggleHidden, type ColumnWishes, type SeenAttributes } from './columns.ts'
import './column-chooser.css'

export interface ColumnChooserProps {
  /** All columns, in their order. */
  readonly columns: readonly string[]
  readonly seen: SeenAttributes
  readonly wishes: ColumnWishes
  readonly onChange: (wishes: ColumnWishes) => void
}

/** Which columns are shown, and in which order. */
export function ColumnChooser({ columns, seen, wishes, onChange }: ColumnChooserProps) {
  const [filter, setFilter] = useState('')
  const found = columns.filter((name) => name.toLowerCase().includes(filter.toLowerCase()))
  const hidden = columns.filter((name) => wishes.hidden.includes(name)).length
  return (
    <Popover.Root>
      <Popover.Trigger render={<Button icon={<Columns3 />} />}>
        Columns{hidden > 0 && <span className="muted">{hidden} hidden</span>}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={5} align="end" className="menu-positioner">
          <Popover.Popup className="column-chooser" aria-label="Columns">
            <TextInput
              aria-label="Find a column"
              placeholder="Find a column"
              value={filter}
              onChange={(event) => setFilter(event.target.value)}
            />
            <ul className="column-list">
              {found.map((name) => (
                <li key={name} className="row">
                  <Checkbox
                    label={
                      <span className="truncate" dir="auto">
                        {name.slice(0, 80)}
                      </span>
                    }
                    checked={!wishes.hidden.includes(name)}
                    onChange={() => onChange(toggleHidden(wishes, name))}
                  />
                  <span className="grow column-entities truncate">
                    {[...(seen.get(name) ?? [])].filter((entity) => entity !== '').join(', ')}
                  </span>
                  <IconButton
                    label={`Move ${name.slice(0, 40)} up`}
                    icon={<ArrowUp />}
                    onClick={() => onChange({ ...wishes, order: moveColumn(columns, name, -1) })}
                  />
                  <IconButton
                    label={`Move ${name.slice(0, 40)} down`}
                    icon={<ArrowDown />}
                    onClick={() => onChange({ ...wishes, order: moveColumn(columns, name, 1) })}
                  />
                </li>
              ))}
            </ul>
            <Checkbox
              label="Only columns that rows in sight have"
              checked={!wishes.isAll}
              onChange={() => onChange({ ...wishes, isAll: !wishes.isAll })}
            />
            <div className="row">
              <Button tone="quiet" onClick={() => onChange({ ...wishes, hidden: [] })}>
                Show all
              </Button>
              <Button tone="quiet" onClick={() => onChange(noWishes)}>
                Reset
              </Button>
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
