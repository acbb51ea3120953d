import type { ReactNode } from 'react'
import { Field, Select, TextInput } from '../../../components/controls/field.tsx'
import type { KeyDraft } from './table-draft.ts'

const types = [
  { value: 'S', label: 'String' },
  { value: 'N', label: 'Number' },
  { value: 'B', label: 'Binary' },
]

/** The name and the type of a key's attribute. */
export function KeyFields({
  label,
  hint,
  value,
  onChange,
  error,
  isOptional = false,
  placeholder,
}: {
  readonly label: string
  readonly hint?: ReactNode
  readonly value: KeyDraft
  readonly onChange: (value: KeyDraft) => void
  readonly error?: string | undefined
  readonly isOptional?: boolean
  readonly placeholder?: string
}) {
  return (
    <div className="key-fields">
      <Field label={label} hint={hint} error={error} isOptional={isOptional}>
        <TextInput
          isMono
          spellCheck={false}
          value={value.name}
          placeholder={placeholder}
          onChange={(event) => onChange({ ...value, name: event.target.value })}
        />
      </Field>
      <Field label="Type">
        <Select
          aria-label={`Type of the ${label.toLowerCase()}`}
          value={value.type}
          options={types}
          onChange={(type) => onChange({ ...value, type: type === 'N' || type === 'B' ? type : 'S' })}
        />
      </Field>
    </div>
  )
}
