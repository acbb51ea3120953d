import { Choice, Field, TextInput } from '../../../components/controls/field.tsx'
import { KeyList } from './key-list.tsx'
import { mostKeyAttributes, type IndexDraft, type TableDraft } from './table-draft.ts'

/** Everything about an index, with what each choice means. */
export function IndexFields({
  index,
  onChange,
  billing,
  problems,
}: {
  readonly index: IndexDraft
  readonly onChange: (index: IndexDraft) => void
  readonly billing: TableDraft['billing']
  readonly problems: Readonly<Record<string, string>>
}) {
  const problem = (field: string): string | undefined => problems[`index.${String(index.id)}.${field}`]
  return (
    <div className="stack">
      <Field label="Index name" error={problem('name')}>
        <TextInput
          isMono
          spellCheck={false}
          value={index.name}
          placeholder={index.kind === 'global' ? 'gsi1' : 'lsi1'}
          onChange={(event) => onChange({ ...index, name: event.target.value })}
        />
      </Field>
      {index.kind === 'global' && (
        <KeyList
          label="Index partition key"
          placeholder="GSI1PK"
          hint="Items without this attribute are not in the index. Such a sparse index holds only the items you need in it."
          most={mostKeyAttributes}
          values={index.partitionKeys}
          error={problem('partitionKey')}
          onChange={(partitionKeys) => onChange({ ...index, partitionKeys })}
        />
      )}
      <KeyList
        label="Index sort key"
        placeholder={index.kind === 'global' ? 'GSI1SK' : 'createdAt'}
        isOptional={index.kind === 'global'}
        most={index.kind === 'global' ? mostKeyAttributes : 1}
        values={index.sortKeys}
        error={problem('sortKey')}
        onChange={(sortKeys) => onChange({ ...index, sortKeys })}
      />
      <Choice
        label="Projected attributes"
        value={index.projection}
        onChange={(projection) => onChange({ ...index, projection })}
        options={[
          { value: 'ALL', label: 'All', hint: 'Reads never need the table; you pay for every write twice.' },
          {
            value: 'KEYS_ONLY',
            label: 'Keys only',
            hint: 'Smallest and cheapest; other attributes need a second read.',
          },
          { value: 'INCLUDE', label: 'Some', hint: 'The keys, and the attributes that your queries need.' },
        ]}
      />
      {index.projection === 'INCLUDE' && (
        <Field label="Attributes to include" hint="Separated by commas." error={problem('attributes')}>
          <TextInput
            isMono
            value={index.attributes}
            placeholder="status, total"
            onChange={(event) => onChange({ ...index, attributes: event.target.value })}
          />
        </Field>
      )}
      {index.kind === 'global' && billing === 'PROVISIONED' && (
        <div className="unit-fields">
          <Field label="Index read units" error={problem('readUnits')}>
            <TextInput
              inputMode="numeric"
              value={index.readUnits}
              onChange={(event) => onChange({ ...index, readUnits: event.target.value })}
            />
          </Field>
          <Field
            label="Index write units"
            error={problem('writeUnits')}
            hint="With too few, writes to the table itself are throttled."
          >
            <TextInput
              inputMode="numeric"
              value={index.writeUnits}
              onChange={(event) => onChange({ ...index, writeUnits: event.target.value })}
            />
          </Field>
        </div>
      )}
    </div>
  )
}
