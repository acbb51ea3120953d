import { Fragment } from 'react'
import { Checkbox, Field, Select } from '../../../components/controls/field.tsx'
import {
  removePattern,
  renamePattern,
  setFigure,
  setPatternCode,
  setPatternTarget,
  setPatternText,
} from '../source/edit-patterns.ts'
import type { PatternPlace } from '../source/model-outline.ts'
import { indexForms, patternForm } from '../source/read-forms.ts'
import { EditInput, NumberEdit } from './edit-input.tsx'
import type { FormProps } from './entity-forms.tsx'
import { PartHead } from './part-head.tsx'
import { StepRows } from './step-rows.tsx'

/** Operations that are about one entity, and can take each other's place. */
const readsOfOne: readonly string[] = ['get', 'batchGet', 'transactGet']
const writesOfOne: readonly string[] = ['create', 'put', 'upsert', 'update', 'modify', 'delete']

/** What is said of a pattern in figures, each by the library's name for it. */
const figureGroups = [
  {
    group: 'traffic',
    title: 'Traffic',
    figures: [
      ['rate', 'Calls per second'],
      ['peakRate', 'At its peak'],
      ['hotKeyShare', 'Share of the busiest key'],
      ['items', 'Items per call'],
    ],
  },
  {
    group: 'budget',
    title: 'Budget of a call',
    figures: [
      ['requests', 'Requests'],
      ['readUnits', 'Read units'],
      ['writeUnits', 'Write units'],
      ['milliseconds', 'Milliseconds'],
    ],
  },
] as const

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
              <div className="model-form-keys">
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
          {action === 'query' && (
            <div className="model-form-pair">
              <Field label="Between" isOptional hint="Two bounds of the sort key: ORDER#, PROFILE">
                <EditInput value={texts['between'] ?? ''} onCommit={setText('between')} />
              </Field>
              <Field
                label="Filter"
                isOptional
                hint="Attributes, compared after the read: you pay for what it drops"
              >
                <EditInput value={texts['filter'] ?? ''} onCommit={setText('filter')} />
              </Field>
            </div>
          )}
          {(action === 'query' || action === 'scan') && (
            <Field label="Only these entities" isOptional hint="Separated by commas">
              <EditInput value={texts['entities'] ?? ''} onCommit={setText('entities')} />
            </Field>
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
          {form.steps !== undefined && (
            <StepRows outline={outline} pattern={pattern} steps={form.steps} onEdit={onEdit} />
          )}
          {figureGroups.map(({ group, title, figures }) => (
            <Fragment key={group}>
              <h2>{title}</h2>
              <div className="model-form-pair">
                {figures.map(([name, label]) => (
                  <Field key={name} label={label} isOptional>
                    <NumberEdit
                      value={form[group][name]}
                      onCommit={(value) => onEdit(setFigure(outline, pattern, group, name, value))}
                    />
                  </Field>
                ))}
              </div>
            </Fragment>
          ))}
        </>
      )}
      <pre className="model-form-code mono">{form.code}</pre>
    </section>
  )
}
