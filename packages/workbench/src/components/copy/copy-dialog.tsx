import { useState } from 'react'
import { beginWriting } from '../../api/connections.ts'
import { queryClient, useInfo } from '../../api/queries.ts'
import { useWritingGrant } from '../../api/writing.ts'
import type { Item } from '../../api-types.ts'
import { scopeText, useScope } from '../../state/scope.tsx'
import { plural } from '../../values/format.ts'
import { Button } from '../controls/button.tsx'
import { Field, Select, TextInput } from '../controls/field.tsx'
import { Dialog } from '../dialogs/dialog.tsx'
import { JobProgress, useJob } from '../messages/job.tsx'
import { Notice } from '../messages/notices.tsx'
import { tell, tellError } from '../messages/toast.tsx'
import { confirmWriting } from './confirm-writing.tsx'
import { copyPlaces } from './copy-places.ts'
import { runCopy } from './run-copy.ts'

export interface CopyDialogProps {
  readonly tableName: string
  /** Of the items to copy; without any, the whole table. */
  readonly keys?: readonly Item[] | undefined
  readonly onClose: () => void
}

/** Copies a table, or some of its items, to another database. */
export default function CopyDialog({ tableName, keys, onClose }: CopyDialogProps) {
  const from = useScope()
  const info = useInfo()
  const places = info === undefined ? [] : copyPlaces(info, from)
  const [placeId, setPlace] = useState(places[0]?.id ?? '')
  const [toTableName, setTable] = useState(tableName)
  const job = useJob()
  const place = places.find(({ id }) => id === placeId)
  const target = info?.connections.find(({ name }) => name === place?.scope.connection)
  const grant = useWritingGrant(target?.name)
  const isLocked = target !== undefined && target.writing !== 'allowed' && grant === undefined
  const what = keys === undefined ? `table ${tableName}` : plural(keys.length, 'item')
  const copy = async (): Promise<void> => {
    if (place === undefined) return
    const isDone = await job.run((signal, report) =>
      runCopy(
        from,
        place.scope,
        keys === undefined ? { tables: [tableName] } : { items: { tableName, toTableName, keys } },
        signal,
        report,
      ),
    )
    await queryClient.invalidateQueries({ queryKey: [scopeText(place.scope)] })
    await queryClient.invalidateQueries({ queryKey: ['info'] })
    if (!isDone) return
    tell(`Copied ${what} to ${target?.name ?? 'this server'}`)
    onClose()
  }
  const allow = async (): Promise<void> => {
    if (target !== undefined && (await confirmWriting(target))) await beginWriting(target.name)
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Copy ${what}`}
      description="To another database, account or region. Existing items with the same key are replaced."
      actions={
        <>
          <Button onClick={onClose}>{job.isRunning ? 'Stop and close' : 'Close'}</Button>
          <Button
            tone="primary"
            isBusy={job.isRunning}
            disabled={place === undefined || isLocked || toTableName === ''}
            onClick={() => void copy()}
          >
            Copy
          </Button>
        </>
      }
    >
      <div className="stack">
        {places.length === 0 ? (
          <Notice>There is no other place to copy to. Add a connection at the top left first.</Notice>
        ) : (
          <Field label="Copy to">
            <Select
              value={placeId}
              options={places.map(({ id, label }) => ({ value: id, label }))}
              onChange={setPlace}
            />
          </Field>
        )}
        {keys !== undefined && (
          <Field label="Table" hint="If it does not exist, it is created like this one.">
            <TextInput isMono value={toTableName} onChange={(event) => setTable(event.target.value)} />
          </Field>
        )}
        {isLocked && (
          <Notice
            tone="warning"
            title={`${target.name} is read-only`}
            actions={
              target.writing === 'on-request' && (
                <Button onClick={() => void allow().catch(tellError)}>Allow writing</Button>
              )
            }
          >
            {target.writing === 'on-request'
              ? 'Writing to it has to be switched on first.'
              : 'Its declaration does not allow writing.'}
          </Notice>
        )}
        <JobProgress state={job.state} unit="items" verb="Copying" onCancel={job.cancel} />
      </div>
    </Dialog>
  )
}
