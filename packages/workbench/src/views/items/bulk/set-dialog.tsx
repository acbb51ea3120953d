import { limits, utf8Length, type AttributeType } from '@hashrange/core'
import { useState } from 'react'
import { useCall } from '../../../api/queries.ts'
import type { TableDescription } from '../../../api-types.ts'
import { Button } from '../../../components/controls/button.tsx'
import { Choice, Field, Select, TextArea, TextInput } from '../../../components/controls/field.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { JobProgress, useJob } from '../../../components/messages/job.tsx'
import { tell } from '../../../components/messages/toast.tsx'
import { plural } from '../../../values/format.ts'
import { typeNames } from '../../../values/preview.ts'
import { valueOfDraft, withDraftType, type ValueDraft } from '../../../values/value-draft.ts'
import type { KeyList } from '../keys/keys.ts'
import {
  BulkFailure,
  restoreAttribute,
  setAttributeOfItems,
  type AttributeEdit,
  type BulkOutcome,
} from '../write/set-attribute-of-items.ts'

export interface SetDialogProps {
  readonly table: TableDescription
  readonly keys: KeyList
  /** Attributes that were seen, to choose from, and of which type. */
  readonly known: readonly string[]
  readonly typeOfKnown: (name: string) => AttributeType | undefined
  readonly onClose: () => void
  readonly onChanged: () => void
}

/** Sets or removes an attribute of all selected items. */
export function SetDialog({ table, keys, known, typeOfKnown, onClose, onChanged }: SetDialogProps) {
  const call = useCall()
  const job = useJob()
  const [action, setAction] = useState<'set' | 'remove'>('set')
  const [name, setName] = useState('')
  const [draft, setDraft] = useState<ValueDraft>({ type: 'S', text: '' })
  const [isTypeChosen, setTypeChosen] = useState(false)
  const [isTouched, setTouched] = useState(false)
  const read = valueOfDraft(draft)
  const nameProblem = problemOfName(table, name)
  const isReady = nameProblem === undefined && name !== '' && (action === 'remove' || read.kind === 'value')
  /** What other items have is most likely meant; a type that was chosen stays. */
  const nameIt = (next: string): void => {
    setName(next)
    const type = isTypeChosen ? undefined : typeOfKnown(next)
    if (type !== undefined) setDraft(withDraftType(draft, type))
  }
  const run = async (): Promise<void> => {
    const edit: AttributeEdit = { name, value: action === 'set' && read.kind === 'value' ? read.value : undefined }
    const announce = ({ changed, skipped }: BulkOutcome): void => {
      const undo = async (): Promise<void> => {
        const stop = new AbortController().signal
        const back = await restoreAttribute(call, table, changed, edit, stop, () => undefined)
        tell(`${plural(back.changed.length, 'item')} restored`, {
          ...(back.skipped > 0 && {
            description: `${plural(back.skipped, 'item was', 'items were')} changed again since, and left alone.`,
          }),
        })
        onChanged()
      }
      tell(`${plural(changed.length, 'item')} changed`, {
        ...(changed.length > 0 && { undo }),
        ...(skipped > 0 && { description: `${plural(skipped, 'item')} no longer existed.` }),
      })
      onChanged()
    }
    const isDone = await job.run(async (signal, report) => {
      try {
        announce(await setAttributeOfItems(call, table, keys, edit, signal, report))
      } catch (error) {
        if (!(error instanceof BulkFailure)) throw error
        // What was written by then can be taken back.
        if (error.outcome.changed.length > 0) announce(error.outcome)
        throw error.cause
      }
    })
    if (isDone) onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={() => !job.isRunning && onClose()}
      title={`Change ${plural(keys.size, 'item')}`}
      description={`One attribute of the selected items of ${table.TableName}. You can stop it while it runs, and undo it right afterwards.`}
      actions={
        <>
          <Button disabled={job.isRunning} onClick={onClose}>
            Close
          </Button>
          <Button tone="primary" disabled={!isReady} isBusy={job.isRunning} onClick={() => void run()}>
            {action === 'set' ? 'Set' : 'Remove'} in {plural(keys.size, 'item')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <Choice
          label="What to do"
          shape="segments"
          value={action}
          options={[
            { value: 'set', label: 'Set' },
            { value: 'remove', label: 'Remove' },
          ]}
          onChange={setAction}
        />
        <Field label="Attribute" error={name === '' ? undefined : nameProblem}>
          <TextInput
            list="bulk-set-names"
            value={name}
            spellCheck={false}
            onChange={(event) => nameIt(event.target.value)}
          />
        </Field>
        <datalist id="bulk-set-names">
          {known.slice(0, 200).map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
        {action === 'set' && (
          <>
            <Field label="Type">
              <Select
                value={draft.type}
                options={types}
                onChange={(type) => {
                  setTypeChosen(true)
                  setDraft(withDraftType(draft, type as ValueDraft['type']))
                }}
              />
            </Field>
            {draft.type === 'BOOL' ? (
              <Field label="Value">
                <Select
                  value={draft.text}
                  options={['true', 'false']}
                  onChange={(text) => setDraft({ ...draft, text })}
                />
              </Field>
            ) : draft.type === 'NULL' ? null : (
              <Field label="Value" error={isTouched && read.kind === 'problem' ? read.message : undefined}>
                <TextArea
                  rows={draft.type === 'M' || draft.type === 'L' ? 5 : 2}
                  value={draft.text}
                  spellCheck={false}
                  onChange={(event) => {
                    setTouched(true)
                    setDraft({ ...draft, text: event.target.value })
                  }}
                />
              </Field>
            )}
          </>
        )}
        <JobProgress state={job.state} unit="items" verb="Changing" onCancel={job.cancel} />
      </div>
    </Dialog>
  )
}

const types = Object.entries(typeNames).map(([value, label]) => ({ value, label }))

function problemOfName(table: TableDescription, name: string): string | undefined {
  if (table.KeySchema.some(({ AttributeName }) => AttributeName === name)) {
    return 'A key cannot be changed: it identifies the item.'
  }
  return utf8Length(name) > limits.attributeNameBytes ? 'The name is too long.' : undefined
}
