import { attributeOf, type AttributeType, type AttributeValue, type Item } from '@hashrange/core'
import { Check, X } from '../../../icons/icons.generated.ts'
import { useState, type FocusEvent, type KeyboardEvent } from 'react'
import { IconButton } from '../../../components/controls/button.tsx'
import { Select, TextArea, TextInput } from '../../../components/controls/field.tsx'
import { typeNames } from '../../../values/preview.ts'
import { draftOfValue, valueOfDraft, withDraftType, type ValueDraft } from '../../../values/value-draft.ts'
import './cell-editor.css'

export interface CellEditorProps {
  readonly row: Item
  readonly name: string
  /** Nothing removes the attribute. */
  readonly onStage: (value: AttributeValue | undefined) => void
  readonly onDone: () => void
}

const removed = 'removed'
type Chosen = ValueDraft | typeof removed

/** One value of the grid, edited by its type where it stands. Enter and leaving it keep the change, Escape does not. */
export function CellEditor({ row, name, onStage, onDone }: CellEditorProps) {
  const before = attributeOf(row, name)
  const [draft, setDraft] = useState<Chosen>(before === undefined ? { type: 'S', text: '' } : draftOfValue(before))
  const [isTouched, setTouched] = useState(false)
  const read = draft === removed ? undefined : valueOfDraft(draft)
  const change = (next: Chosen): void => {
    setTouched(true)
    setDraft(next)
  }
  const keep = (): void => {
    if (!isTouched) return onDone()
    if (read?.kind === 'problem') return
    onStage(read?.value)
    onDone()
  }
  const leave = (event: FocusEvent): void => {
    if (event.currentTarget.contains(event.relatedTarget)) return
    if (read?.kind === 'problem') onDone()
    else keep()
  }
  const press = (event: KeyboardEvent): void => {
    // The keys of the grid are not those of its boxes.
    event.stopPropagation()
    if (event.key === 'Escape') onDone()
    else if (event.key === 'Enter' && !event.shiftKey) keep()
    else return
    event.preventDefault()
  }
  return (
    <div
      className="cell-editor"
      role="group"
      aria-label={`Edit ${name.slice(0, 80)}`}
      onBlur={leave}
      onKeyDown={press}
    >
      <div className="cell-editor-row">
        <Select
          className="cell-editor-type"
          aria-label="Type"
          value={draft === removed ? removed : draft.type}
          options={types}
          onChange={(type) =>
            change(
              type === removed
                ? removed
                : withDraftType(draft === removed ? { type: 'S', text: '' } : draft, type as AttributeType),
            )
          }
        />
        {draft !== removed && (
          <Value draft={draft} isInvalid={isTouched && read?.kind === 'problem'} onChange={change} />
        )}
        <IconButton label="Keep the change" icon={<Check />} onClick={keep} />
        <IconButton label="Leave it as it was" icon={<X />} onClick={onDone} />
      </div>
      {isTouched && read?.kind === 'problem' && (
        <p className="cell-editor-problem" role="alert">
          {read.message}
        </p>
      )}
    </div>
  )
}

function Value({
  draft,
  isInvalid,
  onChange,
}: {
  readonly draft: ValueDraft
  readonly isInvalid: boolean
  readonly onChange: (draft: ValueDraft) => void
}) {
  const { type, text } = draft
  if (type === 'NULL') return <span className="cell-editor-value muted">null</span>
  if (type === 'BOOL') {
    return (
      <Select
        className="cell-editor-value"
        aria-label="Value"
        autoFocus
        value={text}
        options={['true', 'false']}
        onChange={(next) => onChange({ type, text: next })}
      />
    )
  }
  if (type === 'N') {
    return (
      <TextInput
        className="cell-editor-value number"
        aria-label="Value"
        aria-invalid={isInvalid || undefined}
        autoFocus
        inputMode="decimal"
        spellCheck={false}
        value={text}
        onChange={(event) => onChange({ type, text: event.target.value })}
      />
    )
  }
  return (
    <TextArea
      className={`cell-editor-value ${type === 'S' ? '' : 'mono'}`}
      aria-label="Value"
      aria-invalid={isInvalid || undefined}
      autoFocus
      rows={text.includes('\n') || text.length > 60 ? 4 : 1}
      dir="auto"
      spellCheck={false}
      value={text}
      onChange={(event) => onChange({ type, text: event.target.value })}
    />
  )
}

const types = [
  ...Object.entries(typeNames).map(([value, label]) => ({ value, label })),
  { value: removed, label: 'No attribute' },
]
