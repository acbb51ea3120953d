import { Plus, X } from '../../icons/icons.generated.ts'
import { Button, IconButton } from '../../components/controls/button.tsx'
import { TextInput } from '../../components/controls/field.tsx'
import type { TagDraft } from './create/table-draft.ts'
import './tag-fields.css'

/** Keys and values, as many as one likes. */
export function TagFields({
  tags,
  onChange,
}: {
  readonly tags: readonly TagDraft[]
  readonly onChange: (tags: readonly TagDraft[]) => void
}) {
  const change = (position: number, changes: Partial<TagDraft>): void =>
    onChange(tags.map((tag, at) => (at === position ? { ...tag, ...changes } : tag)))
  return (
    <fieldset className="tag-fields">
      <legend className="field-label">Tags</legend>
      {tags.map((tag, position) => (
        // Keys change while they are typed, so the position is the only name that a row has.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={position} className="tag-row">
          <TextInput
            aria-label={`Key of tag ${String(position + 1)}`}
            placeholder="key"
            value={tag.key}
            onChange={(event) => change(position, { key: event.target.value })}
          />
          <TextInput
            aria-label={`Value of tag ${String(position + 1)}`}
            placeholder="value"
            value={tag.value}
            onChange={(event) => change(position, { value: event.target.value })}
          />
          <IconButton
            label={`Remove tag ${String(position + 1)}`}
            icon={<X />}
            onClick={() => onChange(tags.filter((_, at) => at !== position))}
          />
        </div>
      ))}
      <Button icon={<Plus />} onClick={() => onChange([...tags, { key: '', value: '' }])}>
        Add tag
      </Button>
    </fieldset>
  )
}
