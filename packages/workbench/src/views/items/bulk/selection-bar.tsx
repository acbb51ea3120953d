import type { AttributeType, Item } from '@hashrange/core'
import { ArrowRightLeft, Copy, Download, PencilLine, Trash2, X } from '../../../icons/icons.generated.ts'
import { lazy, Suspense, useState } from 'react'
import { useCall, useConnection, useInfo } from '../../../api/queries.ts'
import { keyNames, schemaKeys } from '../../../api/table-facts.ts'
import type { TableDescription } from '../../../api-types.ts'
import { Button } from '../../../components/controls/button.tsx'
import { Menu } from '../../../components/controls/menu.tsx'
import { confirm } from '../../../components/dialogs/confirm.tsx'
import { JobProgress, useJob } from '../../../components/messages/job.tsx'
import { tell } from '../../../components/messages/toast.tsx'
import { copyItems } from '../../../components/values/export-menu.tsx'
import { formatCount, plural } from '../../../values/format.ts'
import type { ItemsFormat } from '../../../values/items-text.ts'
import type { KeyFind } from '../find/find-request.ts'
import { keyList, type KeyList } from '../keys/keys.ts'
import { mostKeys, readKeys } from '../rows/read-keys.ts'
import { pagesOf } from '../transfer/export-items.ts'
import { deleteItems, putBack } from '../write/delete-items.ts'
import { SetDialog } from './set-dialog.tsx'

const CopyDialog = lazy(() => import('../../../components/copy/copy-dialog.tsx'))

export interface SelectionBarProps {
  readonly table: TableDescription
  readonly indexName: string | undefined
  readonly find: KeyFind | undefined
  /** Keys, as text. */
  readonly selected: ReadonlySet<string>
  /** Whether there may be rows that are not selected. */
  readonly mayBeMore: boolean
  /** Attributes that were seen, and of which type. */
  readonly known: readonly string[]
  readonly typeOfKnown: (name: string) => AttributeType | undefined
  readonly onSelect: (selected: ReadonlySet<string>) => void
  readonly onExport: (keys: KeyList) => void
  readonly onChanged: () => void
}

/** What goes into the clipboard at once. */
const mostCopied = 10_000

/** What can be done with the selected items. */
export function SelectionBar(props: SelectionBarProps) {
  const { table, indexName, find, selected, known, typeOfKnown, onSelect, onExport, onChanged } = props
  const call = useCall()
  const isReadOnly = useInfo()?.readOnly ?? false
  const job = useJob()
  const [verb, setVerb] = useState('')
  const [everything, setEverything] = useState<ReadonlySet<string> | undefined>()
  const [isSetting, setSetting] = useState(false)
  const [isCopying, setCopying] = useState(false)
  // What may not be changed may still be copied to somewhere else.
  const mayCopy = useConnection() !== undefined || !isReadOnly
  const keys = keyList(selected)
  const clear = (): void => onSelect(new Set())

  const selectAll = async (): Promise<void> => {
    setVerb('Finding')
    await job.run(async (signal, report) => {
      const found = await readKeys(call, table, indexName, find, signal, (done) => report({ done }))
      onSelect(found.keys)
      if (found.isComplete) setEverything(found.keys)
      else tell(`The first ${formatCount(mostKeys)} items are selected. There are more.`)
    })
    job.reset()
  }
  const copy = async (format: ItemsFormat): Promise<void> => {
    setVerb('Reading')
    await job.run(async (signal, report) => {
      const items: Item[] = []
      for await (const page of pagesOf(call, table, { indexName: undefined, keys, find: undefined }, signal)) {
        items.push(...page)
        report({ done: items.length, total: keys.size })
      }
      copyItems(items, format, keyNames(schemaKeys(table.KeySchema)))
    })
    job.reset()
  }
  const remove = async (): Promise<void> => {
    const isSure = await confirm({
      title: `Delete ${plural(keys.size, 'item')}?`,
      body: 'You can stop it while it runs, and undo it right afterwards.',
      action: `Delete ${plural(keys.size, 'item')}`,
      tone: 'danger',
    })
    if (!isSure) return
    setVerb('Deleting')
    await job.run(async (signal, report) => {
      const { deleted, count, isComplete } = await deleteItems(call, table, keys, signal, report)
      const undo = (): Promise<void> => putBack(call, table, deleted, onChanged)
      tell(`${plural(count, 'item')} deleted`, {
        ...(deleted.length > 0 && { undo }),
        ...(!isComplete && { description: 'There were too many items to undo all of this.' }),
      })
      onChanged()
      signal.throwIfAborted()
      clear()
    })
  }
  return (
    <div className="items-selection" role="region" aria-label="Selection">
      <span>{plural(selected.size, 'item')} selected</span>
      {props.mayBeMore && selected !== everything && !job.isRunning && (
        <Button tone="quiet" onClick={() => void selectAll()}>
          {find === undefined ? 'Select all items' : 'Select all that match'}
        </Button>
      )}
      <span className="grow">
        {(job.isRunning || job.state.kind === 'failed') && (
          <JobProgress state={job.state} unit="items" verb={verb} onCancel={job.cancel} />
        )}
      </span>
      {!isReadOnly && (
        <Button icon={<PencilLine />} disabled={job.isRunning} onClick={() => setSetting(true)}>
          Set attribute
        </Button>
      )}
      <Menu
        align="end"
        trigger={
          <Button icon={<Copy />} disabled={job.isRunning || selected.size > mostCopied}>
            Copy
          </Button>
        }
        entries={[
          { label: 'For a spreadsheet', onSelect: () => void copy('tsv') },
          { label: 'As JSON', onSelect: () => void copy('json') },
          { label: 'As DynamoDB JSON', onSelect: () => void copy('dynamodb') },
        ]}
      />
      {mayCopy && (
        <Button icon={<ArrowRightLeft />} disabled={job.isRunning} onClick={() => setCopying(true)}>
          Copy to …
        </Button>
      )}
      <Button icon={<Download />} onClick={() => onExport(keys)}>
        Export
      </Button>
      {!isReadOnly && (
        <Button tone="danger" icon={<Trash2 />} disabled={job.isRunning} onClick={() => void remove()}>
          Delete
        </Button>
      )}
      <Button tone="quiet" icon={<X />} onClick={clear}>
        Clear
      </Button>
      {isCopying && (
        <Suspense fallback={null}>
          <CopyDialog tableName={table.TableName} keys={[...keys]} onClose={() => setCopying(false)} />
        </Suspense>
      )}
      {isSetting && (
        <SetDialog
          table={table}
          keys={keys}
          known={known}
          typeOfKnown={typeOfKnown}
          onClose={() => setSetting(false)}
          onChanged={onChanged}
        />
      )}
    </div>
  )
}
