import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useCall, useRefresh } from '../../../api/queries.ts'
import { Button, IconButton } from '../../../components/controls/button.tsx'
import { CodeEditor } from '../../../components/code/code-editor.tsx'
import { CopyButton } from '../../../components/messages/copy-button.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Choice, Field, Select, Switch, TextInput } from '../../../components/controls/field.tsx'
import { ErrorBox } from '../../../components/messages/notices.tsx'
import { tell } from '../../../components/messages/toast.tsx'
import { useAttempt } from '../../../components/messages/use-attempt.ts'
import { useGo } from '../../../state/links.ts'
import { CapacityCost } from '../capacity-cost.tsx'
import { TagFields } from '../tag-fields.tsx'
import { IndexFields } from './index-fields.tsx'
import { KeyFields } from './key-fields.tsx'
import { streamOptions, tableClassOptions, billingOptions } from './options.tsx'
import { createTableInput, draftProblems, emptyDraft, emptyIndex, type TableDraft } from './table-draft.ts'
import './create-table.css'

/** The form that makes a table, and explains each choice while it does. */
export default function CreateTable({ onClose }: { readonly onClose: () => void }) {
  const [draft, setDraft] = useState<TableDraft>(emptyDraft)
  const [isTried, setTried] = useState(false)
  const { attempt, isBusy, error } = useAttempt()
  const make = useMakeTable()
  const go = useGo()
  const problems = draftProblems(draft)
  const shown = isTried ? problems : {}
  const change = (changes: Partial<TableDraft>): void => setDraft((known) => ({ ...known, ...changes }))

  const submit = (): void => {
    setTried(true)
    if (Object.keys(problems).length > 0) return
    void attempt(async () => {
      await make(draft)
      tell(`Created table ${draft.name}`)
      go('tables', draft.name)
    })
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      shape="drawer"
      title="Create a table"
      description="You cannot change the keys later. You can change everything else."
      actions={
        <>
          {isTried && Object.keys(problems).length > 0 && (
            <p className="field-error grow" role="alert">
              {Object.values(problems)[0]}
            </p>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" isBusy={isBusy} onClick={submit}>
            Create table
          </Button>
        </>
      }
    >
      <div className="create-table">
        {error !== undefined && <ErrorBox error={error} />}
        <section className="stack">
          <Field label="Table name" error={shown['name']} hint="3 to 255 letters, digits, and _ . -">
            <TextInput
              isMono
              spellCheck={false}
              value={draft.name}
              placeholder="shop"
              onChange={(event) => change({ name: event.target.value })}
            />
          </Field>
          <KeyFields
            label="Partition key"
            placeholder="PK"
            hint="Decides which partition stores an item. Items with the same value form one item collection. A key with many distinct values spreads the load. In a single-table design, use a neutral name such as PK."
            value={draft.partitionKey}
            error={shown['partitionKey']}
            onChange={(partitionKey) => change({ partitionKey })}
          />
          <KeyFields
            label="Sort key"
            placeholder="SK"
            isOptional
            hint="Orders the items of an item collection, so that one query can read a range or a prefix. Without a sort key, each partition key has only one item."
            value={draft.sortKey}
            error={shown['sortKey']}
            onChange={(sortKey) => change({ sortKey })}
          />
          {shown['types'] !== undefined && <p className="field-error">{shown['types']}</p>}
        </section>
        <section className="stack">
          <Choice
            label="Capacity"
            value={draft.billing}
            onChange={(billing) => change({ billing })}
            options={billingOptions}
          />
          {draft.billing === 'PROVISIONED' && (
            <>
              <div className="unit-fields">
                <Field
                  label="Read units"
                  error={shown['readUnits']}
                  hint="One unit reads 4 KB per second strongly consistently, or 8 KB eventually consistently."
                >
                  <TextInput
                    inputMode="numeric"
                    value={draft.readUnits}
                    onChange={(event) => change({ readUnits: event.target.value })}
                  />
                </Field>
                <Field label="Write units" error={shown['writeUnits']} hint="One unit writes 1 KB per second.">
                  <TextInput
                    inputMode="numeric"
                    value={draft.writeUnits}
                    onChange={(event) => change({ writeUnits: event.target.value })}
                  />
                </Field>
              </div>
              <CapacityCost readUnits={Number(draft.readUnits)} writeUnits={Number(draft.writeUnits)} />
            </>
          )}
        </section>
        <IndexSection draft={draft} problems={shown} onChange={change} />
        <section className="stack">
          <h3 className="create-heading">Options</h3>
          <Field label="Stream" hint="A log of item changes, kept for 24 hours, for consumers to follow.">
            <Select
              value={draft.stream}
              options={streamOptions}
              onChange={(stream) => change({ stream: streamOf(stream) })}
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
              onChange={(event) => change({ ttlAttribute: event.target.value })}
            />
          </Field>
          <Switch
            label="Point-in-time recovery"
            hint="You can restore the table to any second of the last 35 days."
            isOn={draft.hasRecovery}
            onChange={(hasRecovery) => change({ hasRecovery })}
          />
          <Switch
            label="Deletion protection"
            hint="The table cannot be deleted while this is on."
            isOn={draft.isProtected}
            onChange={(isProtected) => change({ isProtected })}
          />
          <Choice
            label="Table class"
            value={draft.tableClass}
            onChange={(tableClass) => change({ tableClass })}
            options={tableClassOptions}
          />
          <TagFields tags={draft.tags} onChange={(tags) => change({ tags })} />
        </section>
        <Request draft={draft} />
      </div>
    </Dialog>
  )
}

function IndexSection({
  draft,
  problems,
  onChange,
}: {
  readonly draft: TableDraft
  readonly problems: Readonly<Record<string, string>>
  readonly onChange: (changes: Partial<TableDraft>) => void
}) {
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

/** What will be sent, to learn from and to paste. */
function Request({ draft }: { readonly draft: TableDraft }) {
  const [isShown, setShown] = useState(false)
  const json = JSON.stringify(createTableInput(draft), undefined, 2)
  return (
    <section className="stack">
      <div className="row">
        <Button tone="quiet" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide the request' : 'Show the request'}
        </Button>
        {isShown && <CopyButton text={json} label="Copy the request" />}
      </div>
      {isShown && <CodeEditor label="CreateTable request" language="json" isReadOnly value={json} heightPx={260} />}
    </section>
  )
}

/** CreateTable, and then what only a table that exists can be given. */
function useMakeTable(): (draft: TableDraft) => Promise<void> {
  const call = useCall()
  const refresh = useRefresh()
  return async (draft) => {
    await call('CreateTable', createTableInput(draft))
    const TableName = draft.name
    try {
      if (draft.ttlAttribute !== '') {
        const TimeToLiveSpecification = { Enabled: true, AttributeName: draft.ttlAttribute }
        await call('UpdateTimeToLive', { TableName, TimeToLiveSpecification })
      }
      if (draft.hasRecovery) {
        const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true }
        await call('UpdateContinuousBackups', { TableName, PointInTimeRecoverySpecification })
      }
    } finally {
      await refresh()
    }
  }
}

function streamOf(text: string): TableDraft['stream'] {
  return streamOptions.find(({ value }) => value === text)?.value ?? 'NONE'
}
