import { Download, Plus, RefreshCw, Upload } from '../../icons/icons.generated.ts'
import { Button, IconButton } from '../../components/controls/button.tsx'
import type { ItemsActions } from './use-items-commands.ts'

/** What can be done with the items of a table, beside the title. */
export function ItemsButtons({ isReadOnly, create, importItems, exportItems, reload }: ItemsActions) {
  return (
    <>
      <IconButton label="Reload" shortcut="R" icon={<RefreshCw />} onClick={reload} />
      {!isReadOnly && (
        <Button icon={<Upload />} onClick={importItems}>
          Import
        </Button>
      )}
      <Button icon={<Download />} onClick={exportItems}>
        Export
      </Button>
      {!isReadOnly && (
        <Button tone="primary" icon={<Plus />} onClick={create}>
          New item
        </Button>
      )}
    </>
  )
}
