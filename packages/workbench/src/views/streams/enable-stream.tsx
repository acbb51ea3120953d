import { Waves } from '../../icons/icons.generated.ts'
import { useState } from 'react'
import { useCall, useInfo, useRefresh } from '../../api/queries.ts'
import type { TableDescription } from '../../api-types.ts'
import { Button } from '../../components/controls/button.tsx'
import { Choice } from '../../components/controls/field.tsx'
import { ErrorBox, Notice } from '../../components/messages/notices.tsx'
import { Page, Panel } from '../../components/page/page.tsx'
import { tell } from '../../components/messages/toast.tsx'
import { useAttempt } from '../../components/messages/use-attempt.ts'
import type { ViewType } from './stream-types.ts'

const viewTypes: readonly { readonly value: ViewType; readonly label: string; readonly hint: string }[] = [
  {
    value: 'NEW_AND_OLD_IMAGES',
    label: 'New and old images',
    hint: 'The item before and after the change. Consumers, and this page, can see what has changed.',
  },
  {
    value: 'NEW_IMAGE',
    label: 'New image',
    hint: 'The item after the change: enough for copies and search indexes.',
  },
  { value: 'OLD_IMAGE', label: 'Old image', hint: 'The item before the change: for archives and undo.' },
  {
    value: 'KEYS_ONLY',
    label: 'Keys only',
    hint: 'Only the key of the item. Smallest, but consumers have to read the item.',
  },
]

/** What a stream is for, and a button to have one. */
export function EnableStream({ table }: { readonly table: TableDescription }) {
  const call = useCall()
  const refresh = useRefresh()
  const isReadOnly = useInfo()?.readOnly === true
  const [viewType, setViewType] = useState<ViewType>('NEW_AND_OLD_IMAGES')
  const { attempt, isBusy, error } = useAttempt()
  const enable = (): Promise<boolean> =>
    attempt(async () => {
      await call('UpdateTable', {
        TableName: table.TableName,
        StreamSpecification: { StreamEnabled: true, StreamViewType: viewType },
      })
      tell(`Turned on the stream of ${table.TableName}`)
      await refresh()
    })
  return (
    <Page title={`Stream of ${table.TableName}`}>
      <div className="stream-enable stack">
        <Panel
          title={`${table.TableName} has no stream`}
          hint="A stream records every change to the table’s items, in order, for 24 hours. It feeds search indexes, caches, counters and Lambda functions. It does not make reads of the table more expensive. On AWS, you pay for each read request of the stream."
        >
          {isReadOnly ? (
            <Notice>
              This workbench is read-only. Turn on the stream with UpdateTable, or start hashrange without{' '}
              <code>--workbench-read-only</code>.
            </Notice>
          ) : (
            <div className="stack">
              <Choice label="What its records carry" value={viewType} options={viewTypes} onChange={setViewType} />
              <p className="muted">
                You cannot change this later. To change it, turn off the stream and turn on a new one.
              </p>
              {error !== undefined && <ErrorBox error={error} />}
              <div>
                <Button tone="primary" icon={<Waves />} isBusy={isBusy} onClick={() => void enable()}>
                  Turn on the stream
                </Button>
              </div>
            </div>
          )}
        </Panel>
      </div>
    </Page>
  )
}
