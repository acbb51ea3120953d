import { Choice, Field, Select, Switch, TextInput } from '../../../components/controls/field.tsx'
import { TagFields } from '../tag-fields.tsx'
import { streamOptions, tableClassOptions } from './options.tsx'
import type { SectionProps } from './section-props.ts'
import type { TableDraft } from './table-draft.ts'

/** What can be changed later as well. */
export function OptionsSection({ draft, onChange }: Omit<SectionProps, 'problems'>) {
  return (
    <section className="stack">
      <h3 className="create-heading">Options</h3>
      <Field label="Stream" hint="A log of item changes, kept for 24 hours, for consumers to follow.">
        <Select
          value={draft.stream}
          options={streamOptions}
          onChange={(stream) => onChange({ stream: streamOf(stream) })}
        />
      </Field>
      <Field
        label="Time-to-live attribute"
        isOptional
        hint="A number, in seconds since the Unix epoch (1970). After that time, the item is deleted free of charge."
      >
        <TextInput
          isMono
          value={draft.ttlAttribute}
          placeholder="expiresAt"
          onChange={(event) => onChange({ ttlAttribute: event.target.value })}
        />
      </Field>
      <Switch
        label="Point-in-time recovery"
        hint="You can restore the table to any second of the last 35 days."
        isOn={draft.hasRecovery}
        onChange={(hasRecovery) => onChange({ hasRecovery })}
      />
      <Switch
        label="Deletion protection"
        hint="The table cannot be deleted while this is on."
        isOn={draft.isProtected}
        onChange={(isProtected) => onChange({ isProtected })}
      />
      <Choice
        label="Table class"
        value={draft.tableClass}
        onChange={(tableClass) => onChange({ tableClass })}
        options={tableClassOptions}
      />
      <TagFields tags={draft.tags} onChange={(tags) => onChange({ tags })} />
    </section>
  )
}

function streamOf(text: string): TableDraft['stream'] {
  return streamOptions.find(({ value }) => value === text)?.value ?? 'NONE'
}
