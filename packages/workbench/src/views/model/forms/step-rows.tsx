import { Plus, Trash2 } from '../../../icons/icons.generated.ts'
import { Button, IconButton } from '../../../components/controls/button.tsx'
import { Select } from '../../../components/controls/field.tsx'
import { addStep, removeStep, setStep, setStepCount } from '../source/edit-steps.ts'
import type { PatternPlace } from '../source/model-outline.ts'
import type { StepForm } from '../source/read-forms.ts'
import { NumberEdit } from './edit-input.tsx'
import type { FormProps } from './entity-forms.tsx'

const actions = ['create', 'put', 'update', 'modify', 'upsert', 'delete', 'check'] as const

/** The steps of a transaction: what is done to which entity, and how often in one call. */
export function StepRows({
  outline,
  pattern,
  steps,
  onEdit,
}: Pick<FormProps, 'outline' | 'onEdit'> & {
  readonly pattern: PatternPlace
  readonly steps: readonly StepForm[]
}) {
  const entities = outline.entities.map(({ name }) => name)
  const taken = new Set(steps.map(nameOf))
  const free = entities
    .flatMap((entity) => actions.map((action) => nameOf({ entity, action })))
    .find((step) => !taken.has(step))
  return (
    <>
      <h2>Steps</h2>
      <table className="plain-table model-form-table model-form-steps" aria-label="Steps of the transaction">
        <thead>
          <tr>
            <th>Entity</th>
            <th>Write</th>
            <th>Per call</th>
            <th>
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => {
            const name = nameOf(step)
            const change = (next: Partial<StepForm>): void =>
              onEdit(setStep(outline, pattern, name, nameOf({ ...step, ...next })))
            return (
              <tr key={name}>
                <td>
                  <Select
                    aria-label={`Entity of ${name}`}
                    value={step.entity}
                    options={[...new Set([step.entity, ...entities])]}
                    onChange={(entity) => change({ entity })}
                  />
                </td>
                <td>
                  <Select
                    aria-label={`Write of ${name}`}
                    value={step.action}
                    options={actions}
                    onChange={(action) => change({ action })}
                  />
                </td>
                <td>
                  <NumberEdit
                    label={`${name} per call`}
                    value={step.count}
                    onCommit={(count) => onEdit(setStepCount(outline, pattern, name, count ?? 1))}
                  />
                </td>
                <td className="is-end">
                  <IconButton
                    label={`Remove ${name}`}
                    icon={<Trash2 />}
                    disabled={steps.length === 1}
                    onClick={() => onEdit(removeStep(outline, pattern, name))}
                  />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {free !== undefined && (
        <div>
          <Button icon={<Plus />} onClick={() => onEdit(addStep(outline, pattern, free))}>
            Step
          </Button>
        </div>
      )}
    </>
  )
}

function nameOf({ entity, action }: Pick<StepForm, 'entity' | 'action'>): string {
  return `${entity}.${action}`
}
