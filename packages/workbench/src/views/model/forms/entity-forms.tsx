import { Plus, Trash2 } from '../../../icons/icons.generated.ts'
import { Button, IconButton } from '../../../components/controls/button.tsx'
import { Checkbox, Field, Select } from '../../../components/controls/field.tsx'
import { ScrollRegion } from '../../../components/page/scroll-region.tsx'
import {
  attributeTypes,
  setAttributeArgument,
  setAttributeOptional,
  setAttributeType,
} from '../source/edit-attribute.ts'
import {
  addAttribute,
  removeAttribute,
  removeEntity,
  renameAttribute,
  renameEntity,
  setAttributeCode,
  setIndexWhen,
  setKey,
  setTable,
  setVolume,
} from '../source/edit-entities.ts'
import type { EntityPlace, ModelOutline } from '../source/model-outline.ts'
import { entityForm, type AttributeForm, type KeyText } from '../source/read-forms.ts'
import { EditInput, NumberEdit } from './edit-input.tsx'
import { freeName, nameProblem } from './name-check.ts'
import { PartHead } from './part-head.tsx'
import { SatelliteForms } from './satellite-forms.tsx'

export interface FormProps {
  readonly outline: ModelOutline
  /** Takes over the text that an edit has made. */
  readonly onEdit: (text: string) => void
  /** Shows another part. */
  readonly onGo: (part: string | undefined) => void
}

/** One entity: its name, its attributes, its keys in the table and in indexes, and how many items there are. */
export function EntityFormView({ outline, entity, onEdit, onGo }: FormProps & { readonly entity: EntityPlace }) {
  const form = entityForm(outline, entity)
  const names = form.attributes.map(({ name }) => name)
  return (
    <section className="model-form stack" aria-label={`Entity ${form.name}`}>
      <PartHead
        label="Entity"
        kind="entity"
        name={form.name}
        names={outline.entities.map(({ name }) => name)}
        onRename={(name) => onEdit(renameEntity(outline, form.name, name))}
        onRemove={() => onEdit(removeEntity(outline, entity))}
        onGo={onGo}
      />
      {outline.tables.length > 0 && (
        <Field label="Table">
          <Select
            value={form.table}
            options={[...new Set([form.table, ...outline.tables.map(({ name }) => name)])]}
            onChange={(table) => onEdit(setTable(outline, entity, table))}
          />
        </Field>
      )}
      <h2>Key</h2>
      <div className="model-form-keys">
        <KeyField
          label="Partition key"
          value={form.pk}
          onCommit={(key) => onEdit(setKey(outline, entity, undefined, 'pk', key))}
        />
        <KeyField
          label="Sort key"
          value={form.sk}
          onCommit={(key) => onEdit(setKey(outline, entity, undefined, 'sk', key))}
        />
      </div>
      {form.indexKeys.map(({ index, pk, sk, when }) => (
        <div key={index} className="model-form-keys">
          <KeyField
            label={`Partition key in ${index}`}
            value={pk}
            onCommit={(key) => onEdit(setKey(outline, entity, index, 'pk', key))}
          />
          <KeyField
            label={`Sort key in ${index}`}
            value={sk}
            onCommit={(key) => onEdit(setKey(outline, entity, index, 'sk', key))}
          />
          <WhenField
            index={index}
            value={when}
            onCommit={(code) => onEdit(setIndexWhen(outline, entity, index, code))}
          />
        </div>
      ))}
      <h2>Attributes</h2>
      <ScrollRegion label={`Attributes of ${form.name}, scrolled`}>
        <table className="plain-table model-form-table" aria-label={`Attributes of ${form.name}`}>
          <thead>
            <tr>
              <th>Name</th>
              <th>Type</th>
              <th>Details</th>
              <th>Optional</th>
              <th>
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {form.attributes.map((attribute) => (
              <tr key={attribute.name}>
                <td>
                  <EditInput
                    isName
                    label={`Name of ${attribute.name}`}
                    value={attribute.name}
                    check={(name) => nameProblem(name, names)}
                    onCommit={(name) => onEdit(renameAttribute(outline, entity, attribute.name, name))}
                  />
                </td>
                <AttributeCells outline={outline} entity={entity} attribute={attribute} onEdit={onEdit} />
                <td className="is-end">
                  <IconButton
                    label={`Remove ${attribute.name}`}
                    icon={<Trash2 />}
                    onClick={() => onEdit(removeAttribute(outline, entity, attribute.name))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <div>
        <Button icon={<Plus />} onClick={() => onEdit(addAttribute(outline, entity, freeName('attribute', names)))}>
          Attribute
        </Button>
      </div>
      <SatelliteForms outline={outline} entity={entity} form={form} onEdit={onEdit} />
      <h2>Volume</h2>
      <div className="model-form-pair">
        <Field label="Items" isOptional>
          <NumberEdit value={form.items} onCommit={(value) => onEdit(setVolume(outline, entity, 'items', value))} />
        </Field>
        <Field label="Items per partition key" isOptional>
          <NumberEdit
            value={form.perPartition}
            onCommit={(value) => onEdit(setVolume(outline, entity, 'perPartition', value))}
          />
        </Field>
      </div>
    </section>
  )
}

/** A key's text. An attribute's name between braces stands for its value. */
export function KeyField({
  label,
  value,
  onCommit,
}: {
  readonly label: string
  readonly value: KeyText | undefined
  readonly onCommit: (key: KeyText) => void
}) {
  const kind = value?.kind ?? 'template'
  return (
    <Field
      label={label}
      hint={
        kind === 'native' ? 'Attributes, separated by commas' : kind === 'code' ? 'Code of the file' : undefined
      }
    >
      <EditInput
        value={value?.text ?? ''}
        placeholder="CUSTOMER#{customerId}"
        onCommit={(text) => onCommit({ kind, text })}
      />
    </Field>
  )
}

/** Which items are in an index: a condition on attributes, as the file writes it. */
export function WhenField({
  index,
  value,
  onCommit,
}: {
  readonly index: string
  readonly value: string
  readonly onCommit: (code: string) => void
}) {
  return (
    <Field label={`In ${index} only while`} isOptional>
      <EditInput
        value={value}
        placeholder="{ status: ['open', 'paid'] }"
        check={(text) =>
          text.trim() === '' || /^\{.*\}$/s.test(text.trim()) ? undefined : "Write it as { status: 'open' }."
        }
        onCommit={onCommit}
      />
    </Field>
  )
}

function AttributeCells({
  outline,
  entity,
  attribute: { name, type, argument, isOptional, code },
  onEdit,
}: Pick<FormProps, 'outline' | 'onEdit'> & { readonly entity: EntityPlace; readonly attribute: AttributeForm }) {
  const known: readonly string[] = attributeTypes
  const options = type === undefined || known.includes(type) ? known : [...known, type]
  return (
    <>
      <td>
        <Select
          aria-label={`Type of ${name}`}
          value={type ?? ''}
          options={type === undefined ? [{ value: '', label: 'code' }, ...options] : options}
          onChange={(next) => onEdit(setAttributeType(outline, entity, name, next))}
        />
      </td>
      <td>
        {type === undefined ? (
          <EditInput
            label={`Code of ${name}`}
            value={code}
            onCommit={(next) => onEdit(setAttributeCode(outline, entity, name, next))}
          />
        ) : withDetails.has(type) ? (
          <EditInput
            label={`Details of ${name}`}
            value={argument}
            placeholder={type === 'enum' ? "'OPEN', 'PAID'" : ''}
            onCommit={(next) => onEdit(setAttributeArgument(outline, entity, name, next))}
          />
        ) : (
          <span className="model-hint mono">{code.replace(/^\w+\.\w+\(\)/, '')}</span>
        )}
      </td>
      <td>
        <Checkbox
          label={<span className="visually-hidden">{name} is optional</span>}
          checked={isOptional}
          onChange={({ target }) => onEdit(setAttributeOptional(outline, entity, name, target.checked))}
        />
      </td>
    </>
  )
}

/** Types that say more between their parentheses. */
const withDetails: ReadonlySet<string> = new Set([
  'enum',
  'list',
  'set',
  'map',
  'record',
  'iso',
  'date',
  'shard',
  'union',
  'codec',
  'schema',
])
