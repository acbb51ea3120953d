import type { AskedOperation } from '../../api/api.ts'
import { Dialog } from '../dialogs/dialog.tsx'
import { OwnDecisions } from './own-decisions.tsx'

/** Why a request was denied, or allowed. */
export default function WhyDrawer({
  asked,
  onClose,
}: {
  readonly asked: AskedOperation
  readonly onClose: () => void
}) {
  return (
    <Dialog
      isOpen
      shape="drawer"
      title={`Why: ${asked.operation.replace(/^.*\./, '')}`}
      description="As the policies are now."
      onClose={onClose}
    >
      <div className="stack">
        <OwnDecisions asked={asked} />
      </div>
    </Dialog>
  )
}
