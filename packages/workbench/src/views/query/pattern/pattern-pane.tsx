import type { ModelDescription, ParameterDescription, PatternDescription } from '@hashrange/model'
import { ArrowRight, ListTree, Sparkles } from '../../../icons/icons.generated.ts'
import type { ReactNode } from 'react'
import type { LoadedModel } from '../../../api/models.ts'
import { Badge, EntityChip } from '../../../components/values/badge.tsx'
import { Button } from '../../../components/controls/button.tsx'
import { Field, Select, TextInput } from '../../../components/controls/field.tsx'
import { Notice } from '../../../components/messages/notices.tsx'
import { Picker } from '../../../components/controls/picker.tsx'
import { KeyTemplate } from './key-template.tsx'
import {
  exampleOf,
  isRunnable,
  keyOfPattern,
  typeOf,
  type ParameterTexts,
  type PatternArguments,
} from './pattern-form.ts'
import './pattern-pane.css'

export interface PatternPaneProps {
  readonly models: readonly LoadedModel[]
  readonly model: LoadedModel
  readonly pattern: PatternDescription | undefined
  readonly texts: ParameterTexts
  readonly given: PatternArguments | undefined
  readonly error: string | undefined
  readonly onPick: (model: LoadedModel, pattern: string) => void
  readonly onChange: (texts: ParameterTexts) => void
  /** Fills in values of an item that is there. */
  readonly onExample: () => void
  readonly isLooking: boolean
  readonly onEdit: (() => void) | undefined
}

/** Picks an access pattern of the model and takes its parameters. */
export function PatternPane(props: PatternPaneProps) {
  const { models, model, pattern, texts, given, error, onPick, onChange } = props
  return (
    <div className="stack">
      <div className="query-pick">
        <Picker
          label="Access pattern"
          placeholder="Find an access pattern"
          icon={<ListTree aria-hidden />}
          empty="No read pattern has that name."
          entries={models.flatMap((each) =>
            each.description.patterns.filter(isRunnable).map((entry) => ({
              id: `${each.file}/${each.description.name}/${entry.name}`,
              label: entry.name,
              group: models.length > 1 ? `${each.description.name} (${each.file})` : undefined,
              detail: entry.index === undefined ? entry.operation : `${entry.operation} · ${entry.index}`,
              keywords: `${entry.description ?? ''} ${entry.entities.join(' ')}`,
              isChosen: entry === pattern,
              onSelect: () => onPick(each, entry.name),
            })),
          )}
          value={pattern?.name ?? 'Pick an access pattern'}
          isEmpty={pattern === undefined}
        />
      </div>
      {pattern === undefined ? (
        <p className="query-hint">
          {model.description.name} has {model.description.patterns.filter(isRunnable).length} read patterns. Pick a
          pattern, fill in its parameters, and see what it returns and what it costs.
        </p>
      ) : (
        <>
          <PatternFacts model={model.description} pattern={pattern} texts={texts} />
          {pattern.parameters.map((parameter) => (
            <Parameter key={parameter.name} parameter={parameter} texts={texts} given={given} onChange={onChange} />
          ))}
          {error !== undefined && (
            <p className="field-error" role="alert">
              {error}
            </p>
          )}
          {pattern.shards !== undefined && (
            <Notice>
              {pattern.shards.count} requests, one for each value of {pattern.shards.attribute}; the answers are
              merged in order.
            </Notice>
          )}
          <div className="row">
            {pattern.parameters.length > 0 && (
              <Button icon={<Sparkles />} isBusy={props.isLooking} onClick={props.onExample}>
                Example values
              </Button>
            )}
            {props.onEdit !== undefined && (
              <Button tone="quiet" icon={<ArrowRight />} onClick={props.onEdit}>
                Edit as a query by key
              </Button>
            )}
          </div>
        </>
      )}
    </div>
  )
}

function PatternFacts({
  model,
  pattern,
  texts,
}: {
  readonly model: ModelDescription
  readonly pattern: PatternDescription
  readonly texts: ParameterTexts
}) {
  const key = keyOfPattern(model, pattern)
  const { shards } = pattern
  const shown = shards === undefined ? texts : { ...texts, [shards.attribute]: `0…${String(shards.count - 1)}` }
  return (
    <div className="pattern-facts">
      {pattern.description !== undefined && <p>{pattern.description}.</p>}
      <div className="row query-wrap">
        {pattern.entities.map((name) => (
          <EntityChip key={name} name={name} />
        ))}
        {pattern.traffic.rate !== undefined && <Badge>{pattern.traffic.rate} calls/s</Badge>}
        {pattern.budget.readUnits !== undefined && <Badge>budget {pattern.budget.readUnits} units</Badge>}
      </div>
      {key !== undefined && (
        <dl className="pattern-key">
          {key.partition.map((template) => (
            <KeyLine key={template.attribute} attribute={template.attribute} comparison="=">
              <KeyTemplate template={template} texts={shown} />
            </KeyLine>
          ))}
          {key.sort.map((template) => (
            <KeyLine key={template.attribute} attribute={template.attribute} comparison={key.comparison}>
              <KeyTemplate template={template} texts={shown} />
              {key.range !== undefined && <span className="muted"> then a range of {key.range}</span>}
            </KeyLine>
          ))}
          {key.range !== undefined && key.sort.length === 0 && (
            <KeyLine attribute="sort key" comparison="any, or a range of">
              {key.range}
            </KeyLine>
          )}
          {key.between !== undefined && (
            <KeyLine attribute={key.between.attribute} comparison="from">
              {key.between.from} <span className="muted">to</span> {key.between.to}
            </KeyLine>
          )}
        </dl>
      )}
    </div>
  )
}

function KeyLine({
  attribute,
  comparison,
  children,
}: {
  readonly attribute: string
  readonly comparison: string
  readonly children: ReactNode
}) {
  return (
    <div>
      <dt title={attribute}>{attribute}</dt>
      <dd>
        <span className="muted">{comparison}</span>
        {'\u00a0'}
        {children}
      </dd>
    </div>
  )
}

function Parameter({
  parameter,
  texts,
  given,
  onChange,
}: {
  readonly parameter: ParameterDescription
  readonly texts: ParameterTexts
  readonly given: PatternArguments | undefined
  readonly onChange: (texts: ParameterTexts) => void
}) {
  const { name, kind } = parameter
  const type = typeOf(parameter)
  if (kind === 'range') {
    const field = (part: 'from' | 'to', label: string) => (
      <Field label={label} isOptional error={given?.problems.get(`${name}.${part}`)}>
        <TextInput
          isMono
          value={texts[`${name}.${part}`] ?? ''}
          placeholder={exampleOf(parameter)}
          onChange={(event) =>
            onChange({ ...texts, [`${name}.begins`]: '', [`${name}.${part}`]: event.target.value })
          }
        />
      </Field>
    )
    return (
      <div className="query-pair">
        {field('from', `${name} from`)}
        {field('to', `${name} to`)}
      </div>
    )
  }
  if (kind !== 'value') return null
  const set = (value: string): void => onChange({ ...texts, [name]: value })
  const options =
    type === 'boolean' ? ['true', 'false'] : type === 'enum' ? (parameter.value?.values ?? []) : undefined
  return (
    <Field label={name} isOptional={!parameter.isRequired} error={given?.problems.get(name)}>
      {options === undefined ? (
        <TextInput
          isMono
          spellCheck={false}
          value={texts[name] ?? ''}
          placeholder={exampleOf(parameter)}
          onChange={(event) => set(event.target.value)}
        />
      ) : (
        <Select
          value={texts[name] ?? ''}
          options={[{ value: '', label: 'Choose' }, ...options.map((value) => ({ value, label: value }))]}
          onChange={set}
        />
      )}
    </Field>
  )
}
