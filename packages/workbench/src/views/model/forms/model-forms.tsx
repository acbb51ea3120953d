import { Plus } from '../../../icons/icons.generated.ts'
import { useMemo, useState } from 'react'
import { Button, IconButton } from '../../../components/controls/button.tsx'
import { Field, Select } from '../../../components/controls/field.tsx'
import { Notice } from '../../../components/messages/notices.tsx'
import { ScrollRegion } from '../../../components/page/scroll-region.tsx'
import { entityStyle } from '../../../values/entity-colour.ts'
import { addEntity, addIndexKey } from '../source/edit-entities.ts'
import { addPattern } from '../source/edit-patterns.ts'
import { outlineOf, type ModelOutline } from '../source/model-outline.ts'
import { entityForm, indexForms } from '../source/read-forms.ts'
import { EntityFormView, type FormProps } from './entity-forms.tsx'
import { IndexFormView } from './index-form.tsx'
import { freeName } from './name-check.ts'
import { PatternFormView } from './pattern-form.tsx'
import './model-forms.css'

/** The parts of a model as forms. Each change is a small edit of the file's text: the rest of it stays as it is. */
export function ModelForms({
  text,
  model,
  onEdit,
  onText,
}: {
  readonly text: string
  readonly model: string
  readonly onEdit: (text: string) => void
  /** Shows the file as text. */
  readonly onText: () => void
}) {
  const outline = useMemo(() => outlineOf(text, model), [text, model])
  /** `entity:Order`, `index:byDate`, `pattern:recent`. */
  const [chosen, setChosen] = useState<string>()
  if (outline === undefined) {
    return (
      <Notice title="The forms cannot read this file" actions={<Button onClick={onText}>Edit as text</Button>}>
        They look for one call of <code>model(…)</code> with the model written in it, and for entities in the same
        file. Anything else can be edited as text, and is checked in the same way.
      </Notice>
    )
  }
  const part = chosen ?? (outline.entities[0] === undefined ? undefined : `entity:${outline.entities[0].name}`)
  const props = { outline, onEdit, onGo: setChosen }
  return (
    <div className="model-forms">
      <Parts {...props} chosen={part} />
      <ScrollRegion label="Form" className="model-form-scroll">
        <ChosenForm {...props} part={part} />
      </ScrollRegion>
    </div>
  )
}

function ChosenForm({ part = '', ...props }: FormProps & { readonly part: string | undefined }) {
  const { outline } = props
  const [kind, name] = [part.slice(0, part.indexOf(':')), part.slice(part.indexOf(':') + 1)]
  const entity = outline.entities.find((each) => each.name === name)
  if (kind === 'entity' && entity !== undefined) return <EntityFormView key={part} {...props} entity={entity} />
  const pattern = outline.patterns.find((each) => each.name === name)
  if (kind === 'pattern' && pattern !== undefined)
    return <PatternFormView key={part} {...props} pattern={pattern} />
  const indexes = indexForms(outline)
  const index = indexes.find((each) => each.name === name)
  if (kind === 'index' && index !== undefined) {
    return <IndexFormView key={part} {...props} index={index} names={indexes.map((each) => each.name)} />
  }
  return <p className="model-hint">Choose a part of the model, or add one.</p>
}

function Parts({ outline, onEdit, onGo, chosen }: FormProps & { readonly chosen: string | undefined }) {
  const indexes = indexForms(outline).map(({ name }) => name)
  const groups = [
    { kind: 'entity', title: 'Entities', names: outline.entities.map(({ name }) => name) },
    { kind: 'index', title: 'Indexes', names: indexes },
    { kind: 'pattern', title: 'Access patterns', names: outline.patterns.map(({ name }) => name) },
  ] as const
  const add = (kind: 'entity' | 'index' | 'pattern'): void => {
    const [name, text] = added(outline, kind, indexes)
    onEdit(text)
    onGo(`${kind}:${name}`)
  }
  return (
    <>
      <nav className="model-parts" aria-label="Parts of the file">
        {groups.map(({ kind, title, names }) => (
          <div key={kind}>
            <div className="row">
              <h2 className="grow">{title}</h2>
              <IconButton
                label={`Add ${kind === 'pattern' ? 'an access pattern' : `an ${kind}`}`}
                icon={<Plus />}
                disabled={kind !== 'entity' && outline.entities.length === 0}
                onClick={() => add(kind)}
              />
            </div>
            <ul>
              {names.map((name) => (
                <li key={name}>
                  <Button
                    tone="quiet"
                    className="model-part"
                    aria-current={chosen === `${kind}:${name}` ? 'true' : undefined}
                    style={kind === 'entity' ? entityStyle(name) : undefined}
                    onClick={() => onGo(`${kind}:${name}`)}
                  >
                    {kind === 'entity' && <span className="entity-dot" aria-hidden />}
                    <span className="truncate">{name}</span>
                  </Button>
                </li>
              ))}
            </ul>
          </div>
        ))}
        {outline.elsewhere.length > 0 && (
          <p className="model-hint">Defined in other files: {outline.elsewhere.join(', ')}</p>
        )}
      </nav>
      <div className="model-parts-small">
        <Field label="Part of the model">
          <Select
            value={chosen ?? ''}
            options={groups.flatMap(({ kind, names }) =>
              names.map((name) => ({ value: `${kind}:${name}`, label: `${name} (${kind})` })),
            )}
            onChange={onGo}
          />
        </Field>
        <div className="row">
          {(['entity', 'index', 'pattern'] as const).map((kind) => (
            <Button
              key={kind}
              icon={<Plus />}
              disabled={kind !== 'entity' && outline.entities.length === 0}
              onClick={() => add(kind)}
            >
              {kind === 'entity' ? 'Entity' : kind === 'index' ? 'Index' : 'Pattern'}
            </Button>
          ))}
        </div>
      </div>
    </>
  )
}

/** A new part, under a name that is free. It is valid at once, so that the difference that it makes can be shown. */
function added(
  outline: ModelOutline,
  kind: 'entity' | 'index' | 'pattern',
  indexes: readonly string[],
): readonly [name: string, text: string] {
  const entities = outline.entities.map(({ name }) => name)
  if (kind === 'entity') {
    const name = freeName('Thing', [...entities, ...outline.elsewhere])
    return [name, addEntity(outline, name)]
  }
  const [first] = outline.entities
  if (first === undefined) return ['', outline.source.text]
  if (kind === 'pattern') {
    const name = freeName(
      `get${first.name}`,
      outline.patterns.map((each) => each.name),
    )
    return [name, addPattern(outline, name, 'get', first.name)]
  }
  const name = freeName('gsi1', indexes)
  const { pk, sk } = entityForm(outline, first)
  const text = (key: typeof pk, otherwise: string): string => (key?.kind === 'template' ? key.text : otherwise)
  return [name, addIndexKey(outline, first, name, text(sk, first.name.toUpperCase()), text(pk, ''))]
}
