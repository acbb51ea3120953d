import { Plus, Trash2 } from '../../../icons/icons.generated.ts'
import { Button } from '../../../components/controls/button.tsx'
import { Field } from '../../../components/controls/field.tsx'
import {
  addIndexItem,
  addUnique,
  removeSatellite,
  setSatelliteName,
  setSatellitePart,
} from '../source/edit-satellites.ts'
import type { EntityPlace } from '../source/model-outline.ts'
import type { EntityForm } from '../source/read-forms.ts'
import { EditInput } from './edit-input.tsx'
import type { FormProps } from './entity-forms.tsx'
import { freeName } from './name-check.ts'

const parts = {
  unique: [
    ['pk', 'Partition key of its item'],
    ['sk', 'Sort key of its item'],
  ],
  indexItem: [
    ['pk', 'Partition key of its item'],
    ['sk', 'Sort key of its item'],
    ['each', 'One for each element of'],
    ['include', 'Attributes that it copies'],
  ],
} as const

/** What is kept beside an entity in the same transaction: unique constraints, and items to find it by. */
export function SatelliteForms({
  outline,
  entity,
  form,
  onEdit,
}: Pick<FormProps, 'outline' | 'onEdit'> & { readonly entity: EntityPlace; readonly form: EntityForm }) {
  const unique = new Set(form.satellites.filter(({ kind }) => kind === 'unique').map(({ name }) => name))
  const free = form.attributes.find(({ name }) => !unique.has(name))
  return (
    <>
      <h2>Unique values and index items</h2>
      {form.satellites.map((satellite, at) => {
        const isUnique = satellite.kind === 'unique'
        const title = isUnique ? `Unique: ${satellite.name}` : `Index item: ${satellite.name}`
        return (
          <fieldset key={`${satellite.kind} ${String(at)}`} className="model-form-group">
            <legend>{title}</legend>
            <div className="model-form-keys">
              <Field
                label={isUnique ? 'Attributes' : 'Name'}
                {...(isUnique && { hint: 'Separated by commas: their values together are unique' })}
              >
                <EditInput
                  isName
                  value={satellite.name}
                  onCommit={(text) => onEdit(setSatelliteName(outline, entity, at, text))}
                />
              </Field>
              {parts[satellite.kind].map(([part, label]) => (
                <Field key={part} label={label} isOptional={isUnique || part !== 'pk'}>
                  <EditInput
                    value={satellite[part]}
                    onCommit={(text) => onEdit(setSatellitePart(outline, entity, at, part, text))}
                  />
                </Field>
              ))}
            </div>
            <div>
              <Button tone="quiet" icon={<Trash2 />} onClick={() => onEdit(removeSatellite(outline, entity, at))}>
                Remove {title}
              </Button>
            </div>
          </fieldset>
        )
      })}
      <div className="row">
        {free !== undefined && (
          <Button icon={<Plus />} onClick={() => onEdit(addUnique(outline, entity, free.name))}>
            Unique value
          </Button>
        )}
        <Button
          icon={<Plus />}
          onClick={() => {
            const names = form.satellites.map(({ name }) => name)
            onEdit(addIndexItem(outline, entity, freeName('lookup', names)))
          }}
        >
          Index item
        </Button>
      </div>
    </>
  )
}
