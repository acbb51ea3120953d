import { Plus, Trash2 } from '../../../icons/icons.generated.ts'
import type { ReactNode } from 'react'
import { Button, IconButton } from '../../../components/controls/button.tsx'
import { KeyFields } from './key-fields.tsx'
import { emptyKey, type KeyDraft } from './table-draft.ts'

export interface KeyListProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly values: readonly KeyDraft[]
  readonly onChange: (values: readonly KeyDraft[]) => void
  readonly error?: string | undefined
  readonly isOptional?: boolean
  readonly placeholder?: string
  /** How many attributes the key may have. */
  readonly most: number
}

/** The attributes of a key, one below the other. */
export function KeyList({ label, hint, values, onChange, error, isOptional, placeholder, most }: KeyListProps) {
  return (
    <div className="key-list">
      {values.map((value, position) => (
        <div key={position} className="key-list-line">
          <KeyFields
            label={position === 0 ? label : `${label}, attribute ${String(position + 1)}`}
            {...(position === 0 && { hint, isOptional })}
            {...(position === 0 && placeholder !== undefined && { placeholder })}
            error={position === values.length - 1 ? error : undefined}
            value={value}
            onChange={(changed) => onChange(values.with(position, changed))}
          />
          {position > 0 && (
            <IconButton
              label={`Remove attribute ${String(position + 1)} of the ${label.toLowerCase()}`}
              icon={<Trash2 />}
              onClick={() => onChange(values.toSpliced(position, 1))}
            />
          )}
        </div>
      ))}
      {values.length < most && (
        <div>
          <Button
            tone="quiet"
            icon={<Plus />}
            disabled={values.at(-1)?.name === ''}
            aria-label={`Add an attribute to the ${label.toLowerCase()}`}
            onClick={() => onChange([...values, emptyKey])}
          >
            Add an attribute
          </Button>
        </div>
      )}
    </div>
  )
}
