import { Dialog } from '@base-ui/react/dialog'
import { useMemo } from 'react'
import { FilterList, type FilterEntry } from '../components/controls/filter-list.tsx'
import { useTableNames } from '../api/queries.ts'
import { useGo } from '../state/links.ts'
import { useCommandList } from './commands.ts'
import './palette.css'

/** Everything that can be done and every table there is, found by typing. */
export function Palette({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-backdrop" />
        <Dialog.Popup className="palette" aria-label="Command palette">
          <PaletteList onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function PaletteList({ onClose }: { readonly onClose: () => void }) {
  const commands = useCommandList()
  const tables = useTableNames().data
  const go = useGo()
  const entries = useMemo<FilterEntry[]>(() => {
    const latest = [...new Map(commands.map((command) => [command.id, command])).values()]
    return [
      ...latest
        .filter(({ isHidden }) => isHidden !== true)
        .map(({ id, title, group, shortcut, keywords, run }) => ({
          id,
          label: title,
          group,
          shortcut,
          keywords,
          onSelect: run,
        })),
      ...(tables ?? []).map((name) => ({
        id: `table:${name}`,
        label: name,
        group: 'Tables',
        keywords: 'open table items',
        onSelect: () => go('tables', name),
      })),
    ]
  }, [commands, tables, go])
  return (
    <FilterList
      label="Command palette"
      placeholder="Type a command or the name of a table"
      entries={entries}
      empty="Nothing matches."
      onDone={onClose}
    />
  )
}
