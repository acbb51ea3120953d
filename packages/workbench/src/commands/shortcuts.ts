import { useEffect } from 'react'
import { currentCommands } from './commands.ts'

/** Longer between two keys than this is no sequence. */
const sequenceMs = 900

/** Runs the commands whose shortcuts are pressed. Stands once in the shell. */
export function useShortcuts(): void {
  useEffect(() => {
    let previous = ''
    let previousAt = 0
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return
      const key = keyOf(event)
      if (key === undefined || (isTyping(event.target) && !key.startsWith('Mod+'))) return
      // What a dialog has open keeps the page behind it still. Messages are dialogs, too, but keep nobody.
      if (!key.startsWith('Mod+') && document.querySelector(openDialog) !== null) return
      const sequence = Date.now() - previousAt < sequenceMs ? `${previous} ${key}` : key
      const command = commandFor(sequence) ?? commandFor(key)
      previous = key
      previousAt = command === undefined ? Date.now() : 0
      if (command === undefined) return
      event.preventDefault()
      command.run()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}

const openDialog = '[role="dialog"]:not(.toast), [role="alertdialog"]:not(.toast)'

function commandFor(shortcut: string) {
  return currentCommands().findLast((command) => command.shortcut === shortcut)
}

/** The key as shortcuts name it: `Mod+K`, `Shift+D`, `?`. */
function keyOf(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>,
): string | undefined {
  if (['Control', 'Meta', 'Shift', 'Alt'].includes(event.key)) return undefined
  const isLetter = /^[a-z]$/i.test(event.key)
  const key = isLetter ? event.key.toUpperCase() : event.key
  const isShifted = event.shiftKey && (isLetter || event.key.length > 1)
  return `${event.ctrlKey || event.metaKey ? 'Mod+' : ''}${event.altKey ? 'Alt+' : ''}${isShifted ? 'Shift+' : ''}${key}`
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)) &&
    !(target instanceof HTMLInputElement && ['checkbox', 'radio'].includes(target.type))
  )
}
