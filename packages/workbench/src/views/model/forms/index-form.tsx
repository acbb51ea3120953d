import { Trash2 } from '../../../icons/icons.generated.ts'
import { Button } from '../../../components/controls/button.tsx'
import { Field, Select } from '../../../components/controls/field.tsx'
import { addIndexKey, removeIndexKey, setIndexWhen, setKey } from '../source/edit-entities.ts'
import { removeIndex, renameIndex, setIndexConfig } from '../source/edit-indexes.ts'
import { entityForm, type IndexForm } from '../source/read-forms.ts'
import { EditInput } from './edit-input.tsx'
import { KeyField, WhenField, type FormProps } from './entity-forms.tsx'
import { PartHead } from './part-head.tsx'

/** One index: its name, what it copies, and the entities that have a key in it. */
export function IndexFormView({
  outline,
  index,
  names,
  onEdit,
  onGo,
}: FormProps & { readonly index: IndexForm; readonly names: readonly string[] }) {
  const inside = new Set(index.entities.map(({ entity }) => entity))
  const outside = outline.entities.filter(({ name }) => !inside.has(name))
  const isChosen = index.projection === 'ALL' || index.projection === 'KEYS_ONLY'
  const setProjection = (text: string): void => onEdit(setIndexConfig(outline, index.name, 'projection', text))
  return (
    <section className="model-form stack" aria-label={`Index ${index.name}`}>
      <PartHead
        label="Index"
        kind="index"
        name={index.name}
        names={names}
        onRename={(name) => onEdit(renameIndex(outline, index.name, name))}
        onRemove={() => onEdit(removeIndex(outline, index.name))}
        onGo={onGo}
      />
      <div className="model-form-pair">
        <Field label="Projection" hint="What the index copies besides keys">
          <Select
            value={isChosen ? index.projection : 'INCLUDE'}
            options={[
              { value: 'ALL', label: 'All attributes' },
              { value: 'KEYS_ONLY', label: 'Keys only' },
              { value: 'INCLUDE', label: 'These attributes' },
            ]}
            onChange={(next) => setProjection(next === 'INCLUDE' ? firstAttribute(outline, index) : next)}
          />
        </Field>
        {!isChosen && (
          <Field label="Attributes" hint="Separated by commas">
            <EditInput value={index.projection} onCommit={setProjection} />
          </Field>
        )}
      </div>
      <div className="model-form-pair">
        <Field label="Partition key attribute" isOptional>
          <EditInput
            value={index.pk}
            placeholder={`${index.name}pk`}
            onCommit={(text) => onEdit(setIndexConfig(outline, index.name, 'pk', text))}
          />
        </Field>
        <Field label="Sort key attribute" isOptional>
          <EditInput
            value={index.sk}
            placeholder={`${index.name}sk`}
            onCommit={(text) => onEdit(setIndexConfig(outline, index.name, 'sk', text))}
          />
        </Field>
      </div>
      {index.entities.map(({ entity: name, pk, sk, when }) => {
        const entity = outline.entities.find((each) => each.name === name)
        if (entity === undefined) return null
        return (
          <fieldset key={name} className="model-form-group">
            <legend>{name}</legend>
            <div className="model-form-keys">
              <KeyField
                label={`Partition key of ${name}`}
                value={pk}
                onCommit={(key) => onEdit(setKey(outline, entity, index.name, 'pk', key))}
              />
              <KeyField
                label={`Sort key of ${name}`}
                value={sk}
                onCommit={(key) => onEdit(setKey(outline, entity, index.name, 'sk', key))}
              />
              <WhenField
                index={index.name}
                value={when}
                onCommit={(code) => onEdit(setIndexWhen(outline, entity, index.name, code))}
              />
            </div>
            <div>
              <Button
                tone="quiet"
                icon={<Trash2 />}
                onClick={() => onEdit(removeIndexKey(outline, entity, index.name))}
              >
                Take {name} out
              </Button>
            </div>
          </fieldset>
        )
      })}
      {outside.length > 0 && (
        <Field label="Put an entity into it">
          <Select
            value=""
            options={[{ value: '', label: 'Choose an entity' }, ...outside.map(({ name }) => name)]}
            onChange={(name) => {
              const entity = outside.find((each) => each.name === name)
              if (entity === undefined) return
              const { pk, sk } = entityForm(outline, entity)
              const text = (key: typeof pk): string => (key?.kind === 'template' ? key.text : '')
              onEdit(addIndexKey(outline, entity, index.name, text(sk) === '' ? name : text(sk), text(pk)))
            }}
          />
        </Field>
      )}
    </section>
  )
}

/** A projection of chosen attributes needs one to begin with. */
function firstAttribute(outline: FormProps['outline'], { entities }: IndexForm): string {
  const entity = outline.entities.find(({ name }) => name === entities[0]?.entity) ?? outline.entities[0]
  return entity === undefined ? 'KEYS_ONLY' : (entityForm(outline, entity).attributes[0]?.name ?? 'KEYS_ONLY')
}
