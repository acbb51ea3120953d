import { Dialog } from '../components/dialogs/dialog.tsx'
import { Keys } from '../components/controls/keys.tsx'
import { useCommandList } from './commands.ts'
import { componentKeys } from './component-keys.ts'
import './shortcut-sheet.css'

/** Every shortcut there is here and now. */
export function ShortcutSheet({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const commands = useCommandList().filter(({ shortcut }) => shortcut !== undefined)
  const groups = Map.groupBy(commands, ({ group }) => group)
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Keyboard shortcuts" shape="wide" isText>
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
        {componentKeys.map(([place, keys]) => (
          <section key={place}>
            <h3>{place}</h3>
            <ul>
              {keys.map(([key, title]) => (
                <li key={title}>
                  <span className="grow">{title}</span>
                  <Keys keys={key} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
