import { Undo2 } from '../../../icons/icons.generated.ts'
import { Button, IconButton } from '../../../components/controls/button.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { ScrollRegion } from '../../../components/page/scroll-region.tsx'
import { ValueCell } from '../../../components/values/value-cell.tsx'
import '../../../components/page/plain-table.css'
import { keyTitle, pick } from '../keys/keys.ts'
import type { StagedChange } from './staged-edits.ts'

export interface ReviewDialogProps {
  readonly changes: readonly StagedChange[]
  readonly keyNames: readonly string[]
  readonly isTransaction: boolean
  readonly onRevert: (change: StagedChange) => void
  readonly onClose: () => void
}

/** What is shown of very many. */
const mostShown = 500

/** The changes one by one, before they are written. */
export function ReviewDialog({ changes, keyNames, isTransaction, onRevert, onClose }: ReviewDialogProps) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      shape="wide"
      title="Unsaved changes"
      description={
        isTransaction
          ? 'They are written in one transaction: all of them or none, and only if nobody else has changed the items.'
          : 'There are too many for one transaction. They are written item by item, and only where nobody else has changed the item.'
      }
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <ScrollRegion label="Changes">
        <table className="plain-table" aria-label="Unsaved changes">
          <thead>
            <tr>
              <th>Item</th>
              <th>Attribute</th>
              <th>Before</th>
              <th>After</th>
              <th>
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {changes.slice(0, mostShown).map((change) => (
              <tr key={`${change.keyText} ${change.name}`}>
                <td className="mono">{keyTitle(pick(change.item.loaded, keyNames) ?? {})}</td>
                <td className="mono">{change.name.slice(0, 100)}</td>
                <td>
                  {change.before === undefined ? (
                    <span className="muted">none</span>
                  ) : (
                    <ValueCell value={change.before} />
                  )}
                </td>
                <td>
                  {change.after === undefined ? (
                    <span className="muted">removed</span>
                  ) : (
                    <ValueCell value={change.after} />
                  )}
                </td>
                <td className="is-end">
                  <IconButton
                    label={`Take back ${change.name.slice(0, 40)}`}
                    icon={<Undo2 />}
                    onClick={() => onRevert(change)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {changes.length > mostShown && <p className="muted">And {changes.length - mostShown} more.</p>}
    </Dialog>
  )
}
