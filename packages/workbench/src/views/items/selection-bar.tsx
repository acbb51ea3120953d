import type { Item } from '@hashrange/core'
import { Download, Trash2, X } from 'lucide-react'
import { useCall, useInfo } from '../../api/queries.ts'
import type { TableDescription } from '../../api-types.ts'
import { Button } from '../../components/controls/button.tsx'
import { confirm } from '../../components/dialogs/confirm.tsx'
import { JobProgress, useJob } from '../../components/messages/job.tsx'
import { tell } from '../../components/messages/toast.tsx'
import { plural } from '../../values/format.ts'
import { deleteItems, putBack } from './write/delete-items.ts'

export interface SelectionBarProps {
  readonly table: TableDescription
  /** Keys, as text. */
  readonly selected: ReadonlySet<string>
  readonly onClear: () => void
  readonly onExport: (keys: readonly Item[]) => void
  readonly onChanged: () => void
}

/** What can be done with the selected items. */
export function SelectionBar({ table, selected, onClear, onExport, onChanged }: SelectionBarProps) {
  const call = useCall()
  const isReadOnly = useInfo()?.readOnly ?? false
  const job = useJob()
  const keysOfSelection = (): Item[] => [...selected].map((text) => JSON.parse(text) as Item)
  const remove = async (): Promise<void> => {
    const keys = keysOfSelection()
    const isSure = await confirm({
      title: `Delete ${plural(keys.length, 'item')}?`,
      body: 'You can stop it while it runs, and undo it right afterwards.',
      action: `Delete ${plural(keys.length, 'item')}`,
      tone: 'danger',
    })
    if (!isSure) return
    await job.run(async (signal, report) => {
      const { deleted, count, isComplete } = await deleteItems(call, table, keys, signal, report)
      const undo = (): Promise<void> => putBack(call, table, deleted, onChanged)
      tell(`${plural(count, 'item')} deleted`, {
        ...(deleted.length > 0 && { undo }),
        ...(!isComplete && { description: 'There were too many items to undo this for all of them.' }),
      })
      onChanged()
      signal.throwIfAborted()
      onClear()
    })
  }
  return (
    <div className="items-selection" role="region" aria-label="Selection">
      <span>{plural(selected.size, 'item')} selected</span>
      <span className="grow">
        {(job.isRunning || job.state.kind === 'failed') && (
          <JobProgress state={job.state} unit="items" verb="Deleting" onCancel={job.cancel} />
        )}
      </span>
      <Button icon={<Download />} onClick={() => onExport(keysOfSelection())}>
        Export
      </Button>
      {!isReadOnly && (
        <Button tone="danger" icon={<Trash2 />} disabled={job.isRunning} onClick={() => void remove()}>
          Delete
        </Button>
      )}
      <Button tone="quiet" icon={<X />} onClick={onClear}>
        Clear
      </Button>
    </div>
  )
}
