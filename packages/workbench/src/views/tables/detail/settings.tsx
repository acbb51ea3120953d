import { useState } from 'react'
import { useTimeToLive } from '../../../api/queries.ts'
import type { TableDescription } from '../../../api-types.ts'
import { Button } from '../../../components/controls/button.tsx'
import { confirm } from '../../../components/dialogs/confirm.tsx'
import { Choice, Field, Select, Switch, TextInput } from '../../../components/controls/field.tsx'
import { ErrorBox, Skeleton } from '../../../components/messages/notices.tsx'
import { Panel } from '../../../components/page/page.tsx'
import { streamOptions, tableClassOptions } from '../create/options.tsx'
import type { TableDraft } from '../create/table-draft.ts'
import { useUpdate } from './use-update.ts'

interface SettingProps {
  readonly table: TableDescription
  readonly isReadOnly: boolean
}

/** What a table does besides storing items. Each part is saved separately, because the service changes one thing at a
 *  time. */
export function Settings(props: SettingProps) {
  return (
    <div className="detail is-even">
      <Stream {...props} />
      <Expiry {...props} />
      <Protection {...props} />
      <TableClass {...props} />
    </div>
  )
}

function Stream({ table, isReadOnly }: SettingProps) {
  const current =
    table.StreamSpecification?.StreamEnabled === true ? (table.StreamSpecification.StreamViewType ?? '') : 'NONE'
  const [view, setView] = useState(current)
  const { update, isBusy, error } = useUpdate()
  const { TableName } = table
  const save = async (): Promise<void> => {
    if (current !== 'NONE') {
      const isSure = await confirm({
        title: view === 'NONE' ? 'Turn off the stream?' : 'Change the stream’s view type?',
        body: 'The current stream ends. Its records can be read for 24 more hours. A new stream has a new ARN.',
        action: view === 'NONE' ? 'Turn off' : 'Change stream',
      })
      if (!isSure) return
      const StreamSpecification = { StreamEnabled: false }
      if (!(await update('UpdateTable', { TableName, StreamSpecification }, 'The stream is off'))) return
    }
    if (view === 'NONE') return
    const StreamSpecification = { StreamEnabled: true, StreamViewType: view }
    await update('UpdateTable', { TableName, StreamSpecification }, 'The stream is on')
  }
  return (
    <Panel
      title="Stream"
      className="is-half"
      hint="A log of item changes, kept for 24 hours, for consumers to follow"
    >
      <div className="detail-form">
        {error !== undefined && <ErrorBox error={error} />}
        <Field label="View type">
          <Select value={view} options={streamOptions} disabled={isReadOnly} onChange={setView} />
        </Field>
        {!isReadOnly && (
          <Button isBusy={isBusy} disabled={view === current} onClick={() => void save()}>
            Save stream
          </Button>
        )}
      </div>
    </Panel>
  )
}

function Expiry({ table, isReadOnly }: SettingProps) {
  const { data: ttl } = useTimeToLive(table.TableName)
  return (
    <Panel
      title="Time to live"
      className="is-half"
      hint="Deletes items, free of charge, after the time in one of their attributes"
    >
      {ttl === undefined ? (
        <Skeleton />
      ) : (
        <ExpiryForm
          key={ttl.AttributeName ?? ''}
          tableName={table.TableName}
          attribute={ttl.AttributeName}
          isReadOnly={isReadOnly}
        />
      )}
    </Panel>
  )
}

function ExpiryForm({
  tableName,
  attribute,
  isReadOnly,
}: {
  readonly tableName: string
  readonly attribute: string | undefined
  readonly isReadOnly: boolean
}) {
  const [name, setName] = useState(attribute ?? '')
  const { update, isBusy, error } = useUpdate()
  const set = (Enabled: boolean): void => {
    const TimeToLiveSpecification = { Enabled, AttributeName: attribute ?? name }
    void update(
      'UpdateTimeToLive',
      { TableName: tableName, TimeToLiveSpecification },
      Enabled ? 'Time to live is on' : 'Time to live is off',
    )
  }
  return (
    <div className="detail-form">
      {error !== undefined && <ErrorBox error={error} />}
      <Field label="Attribute" hint="A number: seconds since the Unix epoch (1970).">
        <TextInput
          isMono
          value={name}
          placeholder="expiresAt"
          disabled={isReadOnly || attribute !== undefined}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      {!isReadOnly && (
        <Button isBusy={isBusy} disabled={name === ''} onClick={() => set(attribute === undefined)}>
          {attribute === undefined ? 'Turn on' : 'Turn off'}
        </Button>
      )}
    </div>
  )
}

function Protection({ table, isReadOnly }: SettingProps) {
  const isProtected = table.DeletionProtectionEnabled === true
  const { update, isBusy, error } = useUpdate()
  return (
    <Panel title="Deletion protection" className="is-half">
      <div className="detail-form">
        {error !== undefined && <ErrorBox error={error} />}
        <Switch
          label="Protect this table"
          hint="It cannot be deleted while this is on."
          isOn={isProtected}
          disabled={isReadOnly || isBusy}
          onChange={(DeletionProtectionEnabled) =>
            void update(
              'UpdateTable',
              { TableName: table.TableName, DeletionProtectionEnabled },
              DeletionProtectionEnabled ? 'The table is protected' : 'The table is no longer protected',
            )
          }
        />
      </div>
    </Panel>
  )
}

function TableClass({ table, isReadOnly }: SettingProps) {
  const current: TableDraft['tableClass'] =
    table.TableClassSummary?.TableClass === 'STANDARD_INFREQUENT_ACCESS' ? 'STANDARD_INFREQUENT_ACCESS' : 'STANDARD'
  const [chosen, setChosen] = useState(current)
  const { update, isBusy, error } = useUpdate()
  return (
    <Panel title="Table class" className="is-half">
      <div className="detail-form">
        {error !== undefined && <ErrorBox error={error} />}
        <Choice label="Class" value={chosen} options={tableClassOptions} onChange={setChosen} />
        {!isReadOnly && (
          <Button
            isBusy={isBusy}
            disabled={chosen === current}
            onClick={() =>
              void update('UpdateTable', { TableName: table.TableName, TableClass: chosen }, 'Table class changed')
            }
          >
            Save class
          </Button>
        )}
      </div>
    </Panel>
  )
}
