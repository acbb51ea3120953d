import { Dialog } from '../components/dialogs/dialog.tsx'
import { Keys } from '../components/controls/keys.tsx'
import { useCommandList } from './commands.ts'
import './shortcut-sheet.css'

/** Keys that components handle themselves. */
const inGrids: readonly (readonly [string, string])[] = [
  ['Enter', 'Open the row'],
  ['Space', 'Select the row'],
  ['Mod+A', 'Select all loaded rows'],
  ['Shift+ArrowDown', 'Select more rows'],
  ['Mod+C', 'Copy the selected rows, or the cell'],
  ['Mod+V', 'Paste rows of a spreadsheet, or JSON'],
  ['F2', 'Edit the cell'],
  ['Mod+Z', 'Take the last edit back'],
  ['Home', 'First column; with Ctrl, first row'],
  ['End', 'Last column; with Ctrl, last row'],
]

/** Every shortcut there is here and now. */
export function ShortcutSheet({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const commands = useCommandList().filter(({ shortcut }) => shortcut !== undefined)
  const groups = Map.groupBy(commands, ({ group }) => group)
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Keyboard shortcuts" shape="wide">
      <div className="shortcut-sheet">
        {[...groups].map(([group, members]) => (
          <section key={group}>
            <h3>{group}</h3>
            <ul>
              {members.map(({ id, title, shortcut }) => (
                <li key={id}>
                  <span className="grow">{title}</span>
                  <Keys keys={shortcut ?? ''} />
                </li>
              ))}
            </ul>
          </section>
        ))}
        <section>
          <h3>In grids</h3>
          <ul>
            {inGrids.map(([keys, title]) => (
              <li key={keys}>
                <span className="grow">{title}</span>
                <Keys keys={keys} />
              </li>
            ))}
          </ul>
        </section>
      </div>
    </Dialog>
  )
}
