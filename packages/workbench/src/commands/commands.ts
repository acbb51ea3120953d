import { useEffect, useSyncExternalStore } from 'react'
import { Listeners } from '../state/listeners.ts'

/** Something that can be done from the command palette, and by its shortcut. */
export interface Command {
  readonly id: string
  readonly title: string
  /** The heading it stands under in the palette and on the sheet of shortcuts. */
  readonly group: string
  /** `Mod+Enter`, `N`, or a sequence such as `G T`. Mod is Ctrl, on a Mac Cmd. */
  readonly shortcut?: string | undefined
  /** Further words by which it is found. */
  readonly keywords?: string
  /** Left out of the palette: a shortcut alone. */
  readonly isHidden?: boolean
  readonly run: () => void
}

let commands: readonly Command[] = []
const listeners = new Listeners()

/** The commands that can be given now. */
export function useCommandList(): readonly Command[] {
  return useSyncExternalStore(listeners.subscribe, () => commands)
}

/** Offers commands while the component is there. Those of the same id that came later stand in for the earlier ones. */
export function useCommands(offered: readonly Command[]): void {
  useEffect(() => {
    commands = [...commands, ...offered]
    listeners.notify()
    return () => {
      commands = commands.filter((command) => !offered.includes(command))
      listeners.notify()
    }
  }, [offered])
}

export function currentCommands(): readonly Command[] {
  return [...new Map(commands.map((command) => [command.id, command])).values()]
}
