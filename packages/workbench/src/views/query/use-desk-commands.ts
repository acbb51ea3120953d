import { useMemo, useRef } from 'react'
import { useCommands, type Command } from '../../commands/commands.ts'

export interface DeskActions<Tab extends string> {
  readonly view: string
  readonly title: string
  readonly subject: string
  /** One array for good: another would recreate the commands. */
  readonly tabs: readonly Tab[]
  readonly onRun: () => void
  readonly onSave: () => void
  readonly onKept: (kind: 'saved' | 'history') => void
  readonly onTab: (tab: Tab) => void
}

/** What can be done with a query, in the palette and by its keys. */
export function useDeskCommands<Tab extends string>(actions: DeskActions<Tab>): void {
  const { view, title: group, subject, tabs } = actions
  // The actions are new with each render: the commands look them up when they are run.
  const latest = useRef(actions)
  latest.current = actions
  useCommands(
    useMemo<Command[]>(
      () => [
        {
          id: `${view}:run`,
          title: `Run the ${subject}`,
          group,
          shortcut: 'Mod+Enter',
          run: () => latest.current.onRun(),
        },
        {
          id: `${view}:save`,
          title: `Save the ${subject}`,
          group,
          shortcut: 'Mod+S',
          run: () => latest.current.onSave(),
        },
        { id: `${view}:saved`, title: 'Saved queries', group, run: () => latest.current.onKept('saved') },
        {
          id: `${view}:history`,
          title: 'History of queries',
          group,
          shortcut: 'H',
          run: () => latest.current.onKept('history'),
        },
        ...tabs.map((tab, at) => ({
          id: `${view}:${tab}`,
          title: `Show the ${tab}`,
          group,
          shortcut: String(at + 1),
          run: () => latest.current.onTab(tab),
        })),
      ],
      [view, group, subject, tabs],
    ),
  )
}
