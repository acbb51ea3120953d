import { Checkbox, Field, Select } from '../../../components/controls/field.tsx'
import {
  removePattern,
  renamePattern,
  setPatternCode,
  setPatternTarget,
  setPatternText,
  setTraffic,
} from '../source/edit-patterns.ts'
import type { PatternPlace } from '../source/model-outline.ts'
import { indexForms, patternForm } from '../source/read-forms.ts'
import { EditInput, NumberEdit } from './edit-input.tsx'
import type { FormProps } from './entity-forms.tsx'
import { PartHead } from './part-head.tsx'

/** Operations that are about one entity, and can take each other's place. */
const readsOfOne: readonly string[] = ['get', 'batchGet', 'transactGet']
const writesOfOne: readonly string[] = ['create', 'put', 'upsert', 'update', 'modify', 'delete']

/** One access pattern: what it reads or writes, and how often. */
export function PatternFormView({
  outline,
  pattern,
  onEdit,
  onGo,
}: FormProps & { readonly pattern: PatternPlace }) {
  const form = patternForm(outline, pattern)
  const { action, entity, texts } = form
  const setText = (name: string) => (text: string) => onEdit(setPatternText(outline, pattern, name, text))
  const alternatives = [readsOfOne, writesOfOne].find((each) => action !== undefined && each.includes(action))
  const isOfOne = entity !== undefined && alternatives !== undefined
  return (
    <section className="model-form stack" aria-label={`Pattern ${form.name}`}>
      <PartHead
        label="Access pattern"
        kind="pattern"
        name={form.name}
        names={outline.patterns.map(({ name }) => name)}
        onRename={(name) => onEdit(renamePattern(outline, form.name, name))}
        onRemove={() => onEdit(removePattern(outline, pattern))}
        onGo={onGo}
      />
      {action === undefined ? (
        <p className="model-hint">This pattern is made by code of the file. Edit it as text.</p>
      ) : (
        <>
          <div className="model-form-pair">
            <Field label="Operation">
              <Select
                value={action}
                options={alternatives ?? [action]}
                disabled={!isOfOne}
                onChange={(next) => onEdit(setPatternTarget(outline, pattern, { action: next }))}
              />
            </Field>
            {entity !== undefined && (
              <Field label="Entity of the pattern">
                <Select
                  value={entity}
                  options={[...new Set([entity, ...outline.entities.map(({ name }) => name)])]}
                  onChange={(next) => onEdit(setPatternTarget(outline, pattern, { entity: next }))}
                />
              </Field>
            )}
          </div>
          <Field label="Description" isOptional>
            <EditInput isMono={false} value={texts['description'] ?? ''} onCommit={setText('description')} />
          </Field>
          {(action === 'query' || action === 'scan') && (
            <div className="model-form-pair">
              <Field label="Reads">
                <Select
                  value={texts['on'] ?? ''}
                  options={[
                    { value: '', label: 'the table' },
                    ...new Set([
                      ...(texts['on'] === undefined ? [] : [texts['on']]),
                      ...indexForms(outline).map(({ name }) => name),
                    ]),
                  ]}
                  onChange={setText('on')}
                />
              </Field>
              <Field label="Limit" isOptional>
                <NumberEdit
                  value={form.limit}
                  onCommit={(value) =>
                    onEdit(
                      setPatternCode(outline, pattern, 'limit', value === undefined ? undefined : String(value)),
                    )
                  }
                />
              </Field>
            </div>
          )}
          {action === 'query' && (
            <>
              <div className="model-form-pair">
                <Field label="Partition key">
                  <EditInput value={texts['pk'] ?? ''} onCommit={setText('pk')} />
                </Field>
                <Field label="Sort key" isOptional hint="ORDER#* begins with ORDER#">
                  <EditInput value={texts['sk'] ?? ''} onCommit={setText('sk')} />
                </Field>
              </div>
              <div className="model-form-pair">
                <Field label="Range over" isOptional>
                  <EditInput value={texts['range'] ?? ''} onCommit={setText('range')} />
                </Field>
                <Field label="Order">
                  <Select
                    value={texts['order'] ?? ''}
                    options={[
                      { value: '', label: 'ascending' },
                      { value: 'desc', label: 'descending' },
                      ...(texts['order'] === 'asc' ? [{ value: 'asc', label: 'ascending, as the file says' }] : []),
                    ]}
                    onChange={setText('order')}
                  />
                </Field>
              </div>
            </>
          )}
          {(action === 'update' || action === 'modify') && (
            <Field label="Attributes that it changes" isOptional hint="Separated by commas">
              <EditInput value={texts['changes'] ?? ''} onCommit={setText('changes')} />
            </Field>
          )}
          {(readsOfOne.includes(action) || action === 'query' || action === 'lookup') &&
            action !== 'transactGet' && (
              <Checkbox
                label="Strongly consistent"
                checked={form.isConsistent}
                onChange={({ target }) =>
                  onEdit(setPatternCode(outline, pattern, 'consistent', target.checked ? 'true' : undefined))
                }
              />
            )}
          <div className="model-form-pair">
            <Field label="Calls per second" isOptional>
              <NumberEdit
                value={form.rate}
                onCommit={(value) => onEdit(setTraffic(outline, pattern, 'rate', value))}
              />
            </Field>
            <Field label="At its peak" isOptional>
              <NumberEdit
                value={form.peakRate}
                onCommit={(value) => onEdit(setTraffic(outline, pattern, 'peakRate', value))}
              />
            </Field>
          </div>
        </>
      )}
      <pre className="model-form-code mono">{form.code}</pre>
    </section>
  )
}
