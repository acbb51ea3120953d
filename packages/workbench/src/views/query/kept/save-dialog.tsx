import { useState } from 'react'
import { Button } from '../../../components/controls/button.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Field, TextInput } from '../../../components/controls/field.tsx'

/** Asks for the name under which to save. */
export function SaveDialog({
  suggestion,
  onSave,
  onClose,
}: {
  readonly suggestion: string
  readonly onSave: (name: string) => void
  readonly onClose: () => void
}) {
  const [name, setName] = useState(suggestion.slice(0, 120))
  const finish = (): void => {
    if (name.trim() === '') return
    onSave(name.trim())
    onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Save this query"
      description="Everything you filled in is saved. Saving under the same name replaces it."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" disabled={name.trim() === ''} onClick={finish}>
            Save
          </Button>
        </>
      }
    >
      <Field label="Name">
        <TextInput
          value={name}
          onChange={(event) => setName(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && finish()}
          onFocus={(event) => event.target.select()}
        />
      </Field>
    </Dialog>
  )
}
