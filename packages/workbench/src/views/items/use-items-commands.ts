import { useMemo } from 'react'
import { useCommands } from '../../commands/commands.ts'

export interface ItemsActions {
  readonly isReadOnly: boolean
  readonly create: () => void
  readonly importItems: () => void
  readonly exportItems: () => void
  readonly reload: () => void
}

export function useItemsCommands({ isReadOnly, create, importItems, exportItems, reload }: ItemsActions): void {
  useCommands(
    useMemo(
      () => [
        ...(isReadOnly
          ? []
          : [
              { id: 'items:new', title: 'New item', group: 'Items', shortcut: 'N', run: create },
              { id: 'items:import', title: 'Import items', group: 'Items', run: importItems },
            ]),
        { id: 'items:export', title: 'Export items', group: 'Items', run: exportItems },
        { id: 'items:refresh', title: 'Reload the items', group: 'Items', shortcut: 'R', run: reload },
        {
          id: 'items:find',
          title: 'Find by key',
          group: 'Items',
          shortcut: '/',
          run: () => document.querySelector<HTMLInputElement>('[data-find="partition"]')?.focus(),
        },
      ],
      [isReadOnly, create, importItems, exportItems, reload],
    ),
  )
}
