import { Field, TextInput } from '../../../components/controls/field.tsx'
import { KeyFields } from './key-fields.tsx'
import type { SectionProps } from './section-props.ts'

/** The table's name and its key. */
export function NameSection({ draft, problems, onChange }: SectionProps) {
  return (
    <section className="stack">
      <Field label="Table name" error={problems['name']} hint="3 to 255 letters, digits, and _ . -">
        <TextInput
          isMono
          spellCheck={false}
          value={draft.name}
          placeholder="shop"
          onChange={(event) => onChange({ name: event.target.value })}
        />
      </Field>
      <KeyFields
        label="Partition key"
        placeholder="PK"
        hint="Decides which partition stores an item. Items with the same value form one item collection. A key with many distinct values spreads the load. In a single-table design, use a neutral name such as PK."
        value={draft.partitionKey}
        error={problems['partitionKey']}
        onChange={(partitionKey) => onChange({ partitionKey })}
      />
      <KeyFields
        label="Sort key"
        placeholder="SK"
        isOptional
        hint="Orders the items of an item collection, so that one query can read a range or a prefix. Without a sort key, each partition key has only one item."
        value={draft.sortKey}
        error={problems['sortKey']}
        onChange={(sortKey) => onChange({ sortKey })}
      />
      {problems['types'] !== undefined && <p className="field-error">{problems['types']}</p>}
    </section>
  )
}
