import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import { Keys } from './keys.tsx'
import './menu.css'

export interface MenuEntry {
  readonly label: string
  readonly icon?: ReactNode
  readonly onSelect: () => void
  readonly tone?: 'plain' | 'danger'
  readonly disabled?: boolean
  readonly shortcut?: string
  /** Shown with a check mark if it is true. */
  readonly isChecked?: boolean
}

export interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactElement<Record<string, unknown>>
  readonly entries: readonly (MenuEntry | 'separator')[]
  readonly align?: 'start' | 'end'
}

export function Menu({ trigger, entries, align = 'start' }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align={align} className="menu-positioner">
          <Base.Popup className="menu">
            {entries.map((entry, position) =>
              entry === 'separator' ? (
                <Base.Separator key={`separator-${String(position)}`} className="menu-separator" />
              ) : (
                <Base.Item
                  key={entry.label}
                  className={`menu-item menu-item-${entry.tone ?? 'plain'}`}
                  disabled={entry.disabled === true}
                  onClick={entry.onSelect}
                >
                  {entry.icon}
                  <span className="grow">{entry.label}</span>
                  {entry.isChecked === true && <span aria-label="chosen">✓</span>}
                  {entry.shortcut !== undefined && <Keys keys={entry.shortcut} />}
                </Base.Item>
              ),
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
