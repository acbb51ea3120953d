import { useState } from 'react'
import { Button } from '../../../components/controls/button.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { ErrorBox } from '../../../components/messages/notices.tsx'
import { tell } from '../../../components/messages/toast.tsx'
import { useAttempt } from '../../../components/messages/use-attempt.ts'
import { useGo } from '../../../state/links.ts'
import { CapacitySection } from './capacity-section.tsx'
import { IndexSection } from './index-section.tsx'
import { NameSection } from './name-section.tsx'
import { OptionsSection } from './options-section.tsx'
import { RequestSection } from './request-section.tsx'
import { draftProblems, emptyDraft, type TableDraft } from './table-draft.ts'
import { useMakeTable } from './use-make-table.ts'
import './create-table.css'

/** The form that makes a table, and explains each choice while it does. */
export default function CreateTable({ onClose }: { readonly onClose: () => void }) {
  const [draft, setDraft] = useState<TableDraft>(emptyDraft)
  const [isTried, setTried] = useState(false)
  const { attempt, isBusy, error } = useAttempt()
  const make = useMakeTable()
  const go = useGo()
  const problems = draftProblems(draft)
  const shown = isTried ? problems : {}
  const change = (changes: Partial<TableDraft>): void => setDraft((known) => ({ ...known, ...changes }))

  const submit = (): void => {
    setTried(true)
    if (Object.keys(problems).length > 0) return
    void attempt(async () => {
      await make(draft)
      tell(`Created table ${draft.name}`)
      go('tables', draft.name)
    })
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      shape="drawer"
      title="Create a table"
      description="You cannot change the keys later. You can change everything else."
      actions={
        <>
          {isTried && Object.keys(problems).length > 0 && (
            <p className="field-error grow" role="alert">
              {Object.values(problems)[0]}
            </p>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" isBusy={isBusy} onClick={submit}>
            Create table
          </Button>
        </>
      }
    >
      <div className="create-table">
        {error !== undefined && <ErrorBox error={error} />}
        <NameSection draft={draft} problems={shown} onChange={change} />
        <CapacitySection draft={draft} problems={shown} onChange={change} />
        <IndexSection draft={draft} problems={shown} onChange={change} />
        <OptionsSection draft={draft} onChange={change} />
        <RequestSection draft={draft} />
      </div>
    </Dialog>
  )
}
