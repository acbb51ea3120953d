import { useMemo } from 'react'
import { useCommands } from '../../commands/commands.ts'

export interface CollectionsActions {
  readonly clear: () => void
  readonly reload: () => Promise<unknown>
}

export function useCollectionsCommands({ clear, reload }: CollectionsActions): void {
  useCommands(
    useMemo(
      () => [
        {
          id: 'collections:clear',
          title: 'Stop following the item',
          group: 'Collections',
          shortcut: 'Escape',
          run: clear,
        },
        {
          id: 'collections:refresh',
          title: 'Reload the collections',
          group: 'Collections',
          shortcut: 'R',
          run: () => void reload(),
        },
      ],
      [clear, reload],
    ),
  )
}
