import type { ReactNode } from 'react'
import { Button } from '../controls/button.tsx'
import { ErrorBox } from '../messages/notices.tsx'
import { useAttempt } from '../messages/use-attempt.ts'
import { Dialog } from './dialog.tsx'

/** Fields that are filled in, and what is done with them. It closes when that has been done, and says why if it was not. */
export function FormDialog({
  title,
  description,
  action,
  isReady,
  onSubmit,
  onClose,
  children,
}: {
  readonly title: string
  readonly description: string
  /** The verb on the button. */
  readonly action: string
  /** Whether all that is needed was filled in. */
  readonly isReady: boolean
  readonly onSubmit: () => Promise<void>
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  const { attempt, isBusy, error } = useAttempt()
  const submit = async (): Promise<void> => {
    if (await attempt(onSubmit)) onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      description={description}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" isBusy={isBusy} disabled={!isReady} onClick={() => void submit()}>
            {action}
          </Button>
        </>
      }
    >
      <div className="stack">
        {error !== undefined && <ErrorBox error={error} />}
        {children}
      </div>
    </Dialog>
  )
}
