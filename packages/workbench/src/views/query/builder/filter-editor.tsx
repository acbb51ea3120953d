import { FolderPlus, Plus, X } from '../../../icons/icons.generated.ts'
import { Button, IconButton } from '../../../components/controls/button.tsx'
import { Choice, Select, TextInput } from '../../../components/controls/field.tsx'
import { typeNames } from '../../../values/preview.ts'
import {
  filterOperators,
  newCondition,
  noFilter,
  valueTypes,
  type FilterCondition,
  type FilterGroup,
  type FilterNode,
} from '../draft/draft.ts'
import './filter-editor.css'

export interface FilterEditorProps {
  readonly group: FilterGroup
  readonly onChange: (group: FilterGroup) => void
  readonly problems: ReadonlyMap<string, string>
  /** Attributes to choose from. */
  readonly attributes: readonly string[]
}

/** Conditions on what a read has found, in groups that are joined by AND or OR. */
export function FilterEditor({ group, onChange, problems, attributes }: FilterEditorProps) {
  return (
    <>
      <datalist id="query-attributes">
        {attributes.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Group group={group} onChange={onChange} problems={problems} place="filter" />
    </>
  )
}

interface GroupProps {
  readonly group: FilterGroup
  readonly onChange: (group: FilterGroup) => void
  readonly onRemove?: () => void
  readonly problems: ReadonlyMap<string, string>
  readonly place: string
}

function Group({ group, onChange, onRemove, problems, place }: GroupProps) {
  const { nodes, join, isNegated } = group
  const setNode = (position: number, node: FilterNode | undefined): void =>
    onChange({
      ...group,
      nodes: node === undefined ? nodes.toSpliced(position, 1) : nodes.with(position, node),
    })
  const isInner = onRemove !== undefined
  return (
    <div
      className={isInner ? 'filter-group-box' : 'stack-tight'}
      role="group"
      aria-label={isInner ? 'Group' : 'Filter'}
    >
      {(isInner || nodes.length > 1) && (
        <div className="row">
          <Choice
            label="Conditions of the group"
            shape="segments"
            value={join}
            options={[
              { value: 'AND', label: 'all match' },
              { value: 'OR', label: 'any matches' },
            ]}
            onChange={(next) => onChange({ ...group, join: next })}
          />
          {isInner && (
            <Button
              tone={isNegated ? 'primary' : 'plain'}
              className="filter-not"
              aria-pressed={isNegated}
              onClick={() => onChange({ ...group, isNegated: !isNegated })}
            >
              NOT
            </Button>
          )}
          <span className="grow" />
          {isInner && <IconButton label="Remove group" icon={<X />} onClick={onRemove} />}
        </div>
      )}
      {nodes.map((node, position) =>
        node.kind === 'group' ? (
          <Group
            key={position}
            group={node}
            place={`${place}.${String(position)}`}
            problems={problems}
            onChange={(next) => setNode(position, next)}
            onRemove={() => setNode(position, undefined)}
          />
        ) : (
          <Condition
            key={position}
            condition={node}
            problem={problems.get(`${place}.${String(position)}`)}
            onChange={(next) => setNode(position, next)}
            onRemove={() => setNode(position, undefined)}
          />
        ),
      )}
      <div className="row">
        <Button
          tone="quiet"
          icon={<Plus />}
          onClick={() => onChange({ ...group, nodes: [...nodes, newCondition()] })}
        >
          Condition
        </Button>
        {nodes.length > 0 && (
          <Button
            tone="quiet"
            icon={<FolderPlus />}
            onClick={() =>
              onChange({ ...group, nodes: [...nodes, { ...noFilter, join: 'OR', nodes: [newCondition()] }] })
            }
          >
            Group
          </Button>
        )}
      </div>
    </div>
  )
}

const withoutValue: ReadonlySet<string> = new Set(['exists', 'not exists', 'type'])

function Condition({
  condition,
  problem,
  onChange,
  onRemove,
}: {
  readonly condition: FilterCondition
  readonly problem: string | undefined
  readonly onChange: (condition: FilterCondition) => void
  readonly onRemove: () => void
}) {
  const { path, operator, type, value, to } = condition
  const set = (changes: Partial<FilterCondition>): void => onChange({ ...condition, ...changes })
  // What was only just added is not wrong yet.
  const isBegun = path !== '' || value !== '' || to !== ''
  const takesType = operator !== 'exists' && operator !== 'not exists' && !operator.startsWith('size')
  const takesValue = !withoutValue.has(operator) && !(takesType && type === 'NULL')
  return (
    <div className="filter-row" role="group" aria-label={path === '' ? 'New condition' : `Condition on ${path}`}>
      <div className="filter-line">
        <TextInput
          isMono
          className="filter-path"
          aria-label="Attribute"
          placeholder="attribute"
          list="query-attributes"
          spellCheck={false}
          value={path}
          onChange={(event) => set({ path: event.target.value })}
        />
        <Select
          className="filter-operator"
          aria-label="Operator"
          value={operator}
          options={filterOperators.map((each) => ({ value: each, label: operatorNames[each] ?? each }))}
          onChange={(next) => set({ operator: filterOperators.find((each) => each === next) ?? '=' })}
        />
        <IconButton label="Remove condition" icon={<X />} onClick={onRemove} />
      </div>
      {(takesType || takesValue) && (
        <div className="filter-line">
          {takesType && (
            <Select
              className="filter-type"
              aria-label="Type"
              value={type}
              options={valueTypes.map((each) => ({ value: each, label: typeNames[each] }))}
              onChange={(next) => set({ type: valueTypes.find((each) => each === next) ?? 'S' })}
            />
          )}
          {takesValue && type === 'BOOL' && takesType ? (
            <Select
              aria-label="Value"
              value={value === 'true' || value === 'false' ? value : ''}
              options={[{ value: '', label: 'Choose' }, 'true', 'false']}
              onChange={(next) => set({ value: next })}
            />
          ) : (
            takesValue && (
              <TextInput
                isMono
                aria-label={operator === 'between' ? 'From' : 'Value'}
                aria-invalid={problem !== undefined || undefined}
                placeholder={operator === 'between' ? 'from' : operator === 'in' ? 'one, two, three' : 'value'}
                spellCheck={false}
                value={value}
                onChange={(event) => set({ value: event.target.value })}
              />
            )
          )}
          {operator === 'between' && (
            <TextInput
              isMono
              aria-label="To"
              placeholder="to"
              value={to}
              onChange={(event) => set({ to: event.target.value })}
            />
          )}
        </div>
      )}
      {problem !== undefined && isBegun && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

const operatorNames: Readonly<Record<string, string>> = {
  between: 'BETWEEN',
  in: 'IN',
  begins_with: 'begins with',
  'not contains': 'does not contain',
  'not exists': 'does not exist',
  type: 'is of type',
}
