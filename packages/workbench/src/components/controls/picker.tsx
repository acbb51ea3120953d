import { Popover } from '@base-ui/react/popover'
import { ChevronDown } from '../../icons/icons.generated.ts'
import { useState, type ReactNode } from 'react'
import { FilterList, type FilterEntry } from './filter-list.tsx'
import './picker.css'

export interface PickerProps {
  /** What is picked, for those who cannot see it. */
  readonly label: string
  readonly placeholder: string
  readonly entries: readonly FilterEntry[]
  readonly empty: ReactNode
  /** What is picked now. */
  readonly value: string
  /** Whether that is only an invitation to pick. */
  readonly isEmpty?: boolean
  readonly icon?: ReactNode
}

/** A button that opens a list to pick from by typing. */
export function Picker({ label, placeholder, entries, empty, value, isEmpty = false, icon }: PickerProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger className="picker" aria-label={`${label}: ${value}`}>
        {icon}
        <span className={`truncate ${isEmpty ? 'muted' : ''}`}>{value}</span>
        <ChevronDown aria-hidden />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={5} align="start" className="menu-positioner">
          <Popover.Popup className="picker-popup" aria-label={label}>
            <FilterList
              label={label}
              placeholder={placeholder}
              entries={entries}
              empty={empty}
              onDone={() => setOpen(false)}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
