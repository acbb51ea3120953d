import { Trash2 } from '../../../icons/icons.generated.ts'
import { Button } from '../../../components/controls/button.tsx'
import { Field } from '../../../components/controls/field.tsx'
import { EditInput } from './edit-input.tsx'
import { nameProblem } from './name-check.ts'

interface PartHeadProps {
  readonly label: string
  /** As in the address of a part, `entity:Order`. */
  readonly kind: 'entity' | 'index' | 'pattern'
  readonly name: string
  /** The names of all parts of this kind. */
  readonly names: readonly string[]
  readonly onRename: (name: string) => void
  readonly onRemove: () => void
  readonly onGo: (part: string | undefined) => void
}

/** The name of a part, which can be changed, and the button that removes the part. */
export function PartHead({ label, kind, name, names, onRename, onRemove, onGo }: PartHeadProps) {
  return (
    <div className="model-form-head">
      <Field label={label}>
        <EditInput
          isName
          value={name}
          check={(next) => nameProblem(next, names, kind === 'entity')}
          onCommit={(next) => {
            onRename(next)
            onGo(`${kind}:${next}`)
          }}
        />
      </Field>
      <Button
        tone="quiet"
        icon={<Trash2 />}
        onClick={() => {
          onRemove()
          onGo(undefined)
        }}
      >
        Remove
      </Button>
    </div>
  )
}
