import './keys.css'

const arrows = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' }
const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)
const names: Readonly<Record<string, string>> = isMac
  ? { Mod: '⌘', Shift: '⇧', Alt: '⌥', Enter: '↩', Escape: 'esc', ...arrows }
  : { Mod: 'Ctrl', Enter: '↵', Escape: 'Esc', ...arrows }

/** A shortcut as keys: `Mod+K` (Mod is Ctrl, on a Mac Cmd), or a sequence such as `G T`. */
export function Keys({ keys }: { readonly keys: string }) {
  return (
    <span className="keys" role="img" aria-label={keys.replace('Mod', isMac ? 'Command' : 'Control')}>
      {keys.split(/[+ ]/).map((key, position) => (
        <kbd key={`${key}${String(position)}`} aria-hidden>
          {names[key] ?? key}
        </kbd>
      ))}
    </span>
  )
}
