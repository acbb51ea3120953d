import { Plus, Trash2 } from '../../../icons/icons.generated.ts'
import { Button, IconButton } from '../../../components/controls/button.tsx'
import { IndexFields } from './index-fields.tsx'
import type { SectionProps } from './section-props.ts'
import { emptyIndex } from './table-draft.ts'

/** The indexes that the table begins with. */
export function IndexSection({ draft, problems, onChange }: SectionProps) {
  const nextId = Math.max(0, ...draft.indexes.map(({ id }) => id)) + 1
  return (
    <section className="stack">
      <div>
        <h3 className="create-heading">Indexes</h3>
        <p className="field-hint">
          The same items under another key. You can add and remove a global secondary index at any time. A local
          secondary index shares the table’s partition key, supports strongly consistent reads, and can only be
          created together with the table.
        </p>
      </div>
      {draft.indexes.map((index) => (
        <div key={index.id} className="create-index">
          <div className="row">
            <strong className="grow">{index.kind === 'global' ? 'Global index' : 'Local index'}</strong>
            <IconButton
              label="Remove this index"
              icon={<Trash2 />}
              onClick={() => onChange({ indexes: draft.indexes.filter(({ id }) => id !== index.id) })}
            />
          </div>
          <IndexFields
            index={index}
            billing={draft.billing}
            problems={problems}
            onChange={(changed) =>
              onChange({ indexes: draft.indexes.map((known) => (known.id === changed.id ? changed : known)) })
            }
          />
        </div>
      ))}
      <div className="row">
        <Button
          icon={<Plus />}
          onClick={() => onChange({ indexes: [...draft.indexes, emptyIndex(nextId, 'global')] })}
        >
          Add global index
        </Button>
        <Button
          icon={<Plus />}
          disabled={draft.sortKey.name === ''}
          title={draft.sortKey.name === '' ? 'Needs a sort key' : undefined}
          onClick={() => onChange({ indexes: [...draft.indexes, emptyIndex(nextId, 'local')] })}
        >
          Add local index
        </Button>
      </div>
    </section>
  )
}
