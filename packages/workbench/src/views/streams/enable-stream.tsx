import { Waves } from 'lucide-react'
import { useState } from 'react'
import { useCall, useInfo, useRefresh } from '../../api/queries.ts'
import type { TableDescription } from '../../api-types.ts'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/field.tsx'
import { ErrorBox, Notice } from '../../components/notices.tsx'
import { Page, Panel } from '../../components/page.tsx'
import { tell } from '../../components/toast.tsx'
import { useAttempt } from '../../components/use-attempt.ts'
import type { ViewType } from './stream-types.ts'

const viewTypes: readonly { readonly value: ViewType; readonly label: string; readonly hint: string }[] = [
  {
    value: 'NEW_AND_OLD_IMAGES',
    label: 'New and old images',
    hint: 'The item before and after. Consumers see what has changed; so does this page.',
  },
  { value: 'NEW_IMAGE', label: 'New image', hint: 'The item as it is now: enough for copies and search indexes.' },
  { value: 'OLD_IMAGE', label: 'Old image', hint: 'The item as it was: for archives and for undoing.' },
  {
    value: 'KEYS_ONLY',
    label: 'Keys only',
    hint: 'Only which item it was. Smallest; consumers read the item again.',
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
          hint="A stream is the record of every change to the table’s items, in order, for 24 hours. Search indexes, caches, counters and Lambda functions are fed from it. Reads of the table cost nothing more; on AWS, reads of the stream are paid for by request."
        >
          {isReadOnly ? (
            <Notice>
              This workbench is read-only. Switch the stream on with UpdateTable, or start hashrange without{' '}
              <code>--workbench-read-only</code>.
            </Notice>
          ) : (
            <div className="stack">
              <Choice label="What its records carry" value={viewType} options={viewTypes} onChange={setViewType} />
              <p className="muted">This cannot be changed later: a stream is switched off, and another one on.</p>
              {error !== undefined && <ErrorBox error={error} />}
              <div>
                <Button tone="primary" icon={<Waves />} isBusy={isBusy} onClick={() => void enable()}>
                  Switch the stream on
                </Button>
              </div>
            </div>
          )}
        </Panel>
      </div>
    </Page>
  )
}
