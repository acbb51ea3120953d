import type { Item } from '@hashrange/core'
import { sourcesOf } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'
import { Checkbox, Choice, Field, Select, TextInput } from '../../../components/controls/field.tsx'
import { TypeTag } from '../../../components/values/value-cell.tsx'
import { anySort, sortOperators, type QueryDraft, type SortTerm } from '../draft/draft.ts'
import { FilterEditor } from './filter-editor.tsx'
import { isGlobalIndex, keyShapeOf, type KeyAttribute } from '../draft/key-schema.ts'

export interface KeyPaneProps {
  readonly table: TableDescription
  readonly draft: QueryDraft
  readonly problems: ReadonlyMap<string, string>
  readonly operation: string
  /** Those that were returned last, whose attributes can be chosen. */
  readonly items: readonly Item[]
  readonly onChange: (changes: Partial<QueryDraft>) => void
}

/** Builds a query by its key, a filter and a projection. */
export function KeyPane({ table, draft, problems, operation, items, onChange }: KeyPaneProps) {
  const key = keyShapeOf(table, draft.index)
  const sources = sourcesOf(table)
  const setSort = (position: number, term: SortTerm): void => {
    const terms = key.sort.map((_, at) => draft.sort[at] ?? anySort)
    onChange({ sort: terms.with(position, term) })
  }
  return (
    <div className="stack">
      <Field label="Read from" error={problems.get('index')}>
        <Select
          value={draft.index}
          options={sources.map(({ indexName, kind }) => ({
            value: indexName ?? '',
            label: indexName === undefined ? `${table.TableName} (table)` : `${indexName} (${kind} index)`,
          }))}
          onChange={(index) => onChange({ index, partition: [], sort: [] })}
        />
      </Field>
      {key.partition.map((attribute, position) => (
        <Field
          key={attribute.name}
          label={<KeyLabel attribute={attribute} role="partition key" />}
          error={problems.get(`partition.${String(position)}`)}
        >
          <TextInput
            isMono
            spellCheck={false}
            value={draft.partition[position] ?? ''}
            placeholder={position === 0 ? 'empty: a Scan of everything' : ''}
            onChange={(event) =>
              onChange({
                partition: key.partition.map((_, at) =>
                  at === position ? event.target.value : (draft.partition[at] ?? ''),
                ),
              })
            }
          />
        </Field>
      ))}
      {key.sort.map((attribute, position) => (
        <SortField
          key={attribute.name}
          attribute={attribute}
          term={draft.sort[position] ?? anySort}
          problem={problems.get(`sort.${String(position)}`)}
          onChange={(term) => setSort(position, term)}
        />
      ))}
      <section className="query-section">
        <h2 className="query-heading">
          Filter <span className="muted">· applied after the read, so it does not reduce the cost</span>
        </h2>
        <FilterEditor
          group={draft.filter}
          problems={problems}
          attributes={attributesOf(items)}
          onChange={(filter) => onChange({ filter })}
        />
      </section>
      <Field label="Attributes to return" isOptional error={problems.get('projection')}>
        <TextInput
          isMono
          spellCheck={false}
          value={draft.projection}
          placeholder="all, or: name, address.city"
          onChange={(event) => onChange({ projection: event.target.value })}
        />
      </Field>
      <div className="query-options">
        <Field label="Limit" isOptional error={problems.get('limit')}>
          <TextInput
            inputMode="numeric"
            value={draft.limit}
            placeholder="1 MB"
            title="The most items that one request reads, before the filter"
            onChange={(event) => onChange({ limit: event.target.value })}
          />
        </Field>
        <div className="field">
          <span className="field-label">Order</span>
          <Choice
            label="Order"
            shape="segments"
            value={draft.isDescending ? 'descending' : 'ascending'}
            options={[
              { value: 'ascending', label: 'Ascending' },
              { value: 'descending', label: 'Descending' },
            ]}
            onChange={(order) => onChange({ isDescending: order === 'descending' })}
          />
        </div>
      </div>
      {operation === 'Scan' && draft.isDescending && (
        <p className="query-hint">
          A Scan returns items in no particular order: it reads by the hash of the partition key.
        </p>
      )}
      <Checkbox
        label={
          isGlobalIndex(table, draft.index)
            ? 'Strongly consistent read (not on a global secondary index)'
            : 'Strongly consistent read (twice the units)'
        }
        checked={draft.isConsistent}
        disabled={isGlobalIndex(table, draft.index) && !draft.isConsistent}
        onChange={(event) => onChange({ isConsistent: event.target.checked })}
      />
      {problems.has('isConsistent') && (
        <p className="field-error" role="alert">
          {problems.get('isConsistent')}
        </p>
      )}
    </div>
  )
}

function KeyLabel({ attribute, role }: { readonly attribute: KeyAttribute; readonly role: string }) {
  return (
    <>
      <span className="mono">{attribute.name}</span> <TypeTag type={attribute.type} />{' '}
      <span className="muted query-role">{role}</span>
    </>
  )
}

function SortField({
  attribute,
  term,
  problem,
  onChange,
}: {
  readonly attribute: KeyAttribute
  readonly term: SortTerm
  readonly problem: string | undefined
  readonly onChange: (term: SortTerm) => void
}) {
  const { operator, value, to } = term
  const input = (part: 'value' | 'to', label: string) => (
    <TextInput
      isMono
      id={undefined}
      spellCheck={false}
      aria-label={`${attribute.name} ${label}`}
      value={part === 'value' ? value : to}
      placeholder={label}
      onChange={(event) => onChange({ ...term, [part]: event.target.value })}
    />
  )
  return (
    <Field label={<KeyLabel attribute={attribute} role="sort key" />} error={problem}>
      <div className="sort-line">
        <Select
          className="sort-operator"
          aria-label={`Condition on ${attribute.name}`}
          value={operator}
          options={sortOperators
            .filter((each) => each !== 'begins_with' || attribute.type !== 'N')
            .map((each) => ({ value: each, label: sortNames[each] ?? each }))}
          onChange={(next) => onChange({ ...term, operator: sortOperators.find((each) => each === next) ?? 'any' })}
        />
        {operator !== 'any' && input('value', operator === 'between' ? 'from' : 'value')}
        {operator === 'between' && input('to', 'to')}
      </div>
    </Field>
  )
}

const sortNames: Readonly<Record<string, string>> = {
  any: 'any value',
  between: 'BETWEEN',
  begins_with: 'begins with',
}

const mostAttributes = 200

function attributesOf(items: readonly Item[]): string[] {
  const names = new Set<string>()
  for (const item of items.slice(0, 200)) {
    for (const name of Object.keys(item)) names.add(name)
    if (names.size > mostAttributes) break
  }
  return [...names].toSorted()
}
