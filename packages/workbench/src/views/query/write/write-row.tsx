import { Plus, X } from '../../../icons/icons.generated.ts'
import { Button, IconButton } from '../../../components/controls/button.tsx'
import { Choice, Field, Select, TextInput } from '../../../components/controls/field.tsx'
import { CodeEditor } from '../../../components/code/code-editor.tsx'
import { typeNames } from '../../../values/preview.ts'
import { FilterEditor } from '../builder/filter-editor.tsx'
import { valueTypes } from '../draft/draft.ts'
import type { KeyAttribute } from '../draft/key-schema.ts'
import {
  changeActions,
  emptyItem,
  newChange,
  rowKinds,
  type AttributeChange,
  type ChangeAction,
  type RowKind,
  type WriteRow,
} from './write-draft.ts'

const kindNames: Readonly<Record<RowKind, string>> = {
  put: 'Put an item',
  update: 'Update an item',
  delete: 'Delete an item',
  check: 'Check a condition',
}

const actionNames: Readonly<Record<ChangeAction, string>> = {
  set: 'set to',
  default: 'set if missing',
  add: 'add to number or set',
  append: 'append to list',
  remove: 'remove',
  delete: 'delete from set',
}

export interface WriteRowProps {
  readonly row: WriteRow
  /** Counted from 1. */
  readonly number: number
  readonly keyAttributes: readonly KeyAttribute[]
  readonly problems: ReadonlyMap<string, string>
  readonly isOpen: boolean
  readonly onOpen: () => void
  readonly onChange: (row: WriteRow) => void
  readonly onRemove: (() => void) | undefined
}

/** One change of an item. One that is not being edited is a line. */
export function WriteRowEditor(props: WriteRowProps) {
  const { row, number, keyAttributes, problems, isOpen, onChange } = props
  const place = String(number - 1)
  const problemAt = (where: string): string | undefined => problems.get(`${place}.${where}`)
  const wrong = [...problems.keys()].some((key) => key.startsWith(`${place}.`))
  const set = (changes: Partial<WriteRow>): void => onChange({ ...row, ...changes })
  if (!isOpen) {
    return (
      <div className="write-row write-row-closed">
        <button type="button" className="write-open" onClick={props.onOpen}>
          {number}. {kindNames[row.kind]} {row.kind !== 'put' && row.key.join(' / ')}
          {wrong && <span className="field-error"> · not complete</span>}
        </button>
        {props.onRemove !== undefined && (
          <IconButton label={`Remove change ${number}`} icon={<X />} onClick={props.onRemove} />
        )}
      </div>
    )
  }
  return (
    <fieldset className="write-row">
      <legend className="visually-hidden">Change {number}</legend>
      <div className="row">
        <Select
          aria-label={`Kind of change ${number}`}
          value={row.kind}
          options={rowKinds.map((kind) => ({ value: kind, label: kindNames[kind] }))}
          onChange={(kind) => set({ kind: rowKinds.find((each) => each === kind) ?? 'put' })}
        />
        {props.onRemove !== undefined && (
          <IconButton label={`Remove change ${number}`} icon={<X />} onClick={props.onRemove} />
        )}
      </div>
      {problemAt('kind') !== undefined && <p className="field-error">{problemAt('kind')}</p>}
      {row.kind === 'put' ? (
        <>
          <Choice
            label="Form of the item"
            shape="segments"
            value={row.format}
            options={[
              { value: 'json', label: 'JSON' },
              { value: 'dynamodb', label: 'DynamoDB JSON' },
            ]}
            onChange={(format) => set({ format })}
          />
          <div className="write-item">
            <CodeEditor
              label={`Item of change ${number}`}
              language="json"
              value={row.item}
              onChange={(item) => set({ item })}
              heightPx={150}
            />
          </div>
          {problemAt('item') !== undefined && row.item !== emptyItem && (
            <p className="field-error">{problemAt('item')}</p>
          )}
        </>
      ) : (
        keyAttributes.map(({ name }, position) => (
          <Field key={name} label={name} error={row.key.length > 0 ? problemAt(`key.${position}`) : undefined}>
            <TextInput
              isMono
              spellCheck={false}
              value={row.key[position] ?? ''}
              onChange={(event) =>
                set({
                  key: keyAttributes.map((_, at) => (at === position ? event.target.value : (row.key[at] ?? ''))),
                })
              }
            />
          </Field>
        ))
      )}
      {row.kind === 'update' && (
        <Changes changes={row.changes} problemAt={problemAt} onChange={(changes) => set({ changes })} />
      )}
      <div className="query-section">
        <p className="query-heading">
          Only if <span className="muted">· conditions on the item as it is</span>
        </p>
        <FilterEditor
          group={row.condition}
          onChange={(condition) => set({ condition })}
          problems={problemsOf(problems, place)}
          attributes={keyAttributes.map(({ name }) => name)}
        />
      </div>
    </fieldset>
  )
}

function Changes({
  changes,
  problemAt,
  onChange,
}: {
  readonly changes: readonly AttributeChange[]
  readonly problemAt: (where: string) => string | undefined
  readonly onChange: (changes: readonly AttributeChange[]) => void
}) {
  return (
    <div className="query-section">
      <p className="query-heading">Attributes</p>
      {changes.map((change, position) => {
        const set = (next: Partial<AttributeChange>): void =>
          onChange(changes.with(position, { ...change, ...next }))
        const problem = problemAt(`changes.${position}`)
        return (
          // oxlint-disable-next-line react/no-array-index-key
          <div key={position} className="write-change">
            <TextInput
              isMono
              aria-label={`Attribute ${position + 1}`}
              placeholder="attribute"
              value={change.path}
              onChange={(event) => set({ path: event.target.value })}
            />
            <Select
              aria-label={`What to do with attribute ${position + 1}`}
              value={change.action}
              options={changeActions.map((action) => ({ value: action, label: actionNames[action] }))}
              onChange={(action) => set({ action: changeActions.find((each) => each === action) ?? 'set' })}
            />
            {change.action !== 'remove' && (
              <>
                <TextInput
                  isMono
                  aria-label={`Value of attribute ${position + 1}`}
                  placeholder="value"
                  value={change.value}
                  onChange={(event) => set({ value: event.target.value })}
                />
                {change.action !== 'append' && (
                  <Select
                    aria-label={`Type of attribute ${position + 1}`}
                    value={change.type}
                    options={valueTypes.map((type) => ({ value: type, label: typeNames[type] }))}
                    onChange={(type) => set({ type: valueTypes.find((each) => each === type) ?? 'S' })}
                  />
                )}
              </>
            )}
            {changes.length > 1 && (
              <IconButton
                label={`Remove attribute ${position + 1}`}
                icon={<X />}
                onClick={() => onChange(changes.toSpliced(position, 1))}
              />
            )}
            {problem !== undefined && change.path !== '' && <p className="field-error write-wide">{problem}</p>}
          </div>
        )
      })}
      <div className="row">
        <Button tone="quiet" icon={<Plus />} onClick={() => onChange([...changes, newChange])}>
          Attribute
        </Button>
      </div>
    </div>
  )
}

/** Those of a row's conditions, under the names that their editor knows. */
function problemsOf(problems: ReadonlyMap<string, string>, place: string): ReadonlyMap<string, string> {
  const start = `${place}.filter`
  return new Map(
    [...problems]
      .filter(([key]) => key.startsWith(start))
      .map(([key, words]) => [key.slice(place.length + 1), words] as const),
  )
}
