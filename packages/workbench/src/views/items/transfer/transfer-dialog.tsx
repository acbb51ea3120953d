import type { TableDescription } from '../../../api-types.ts'
import type { KeyFind } from '../find/find-request.ts'
import type { KeyList } from '../keys/keys.ts'
import { ExportDialog } from './export-dialog.tsx'
import { ImportDialog } from './import-dialog.tsx'

/** `keys` are those of the selected items; nothing for all that are shown. */
export type Transfer =
  | { readonly kind: 'import'; readonly file?: File | undefined }
  | { readonly kind: 'export'; readonly keys: KeyList | undefined }

export interface TransferDialogProps {
  readonly table: TableDescription
  readonly indexName: string | undefined
  readonly find: KeyFind | undefined
  readonly transfer: Transfer
  readonly onClose: () => void
  readonly onChanged: () => void
}

/** Items out of a file, or into one. */
export function TransferDialog({ table, indexName, find, transfer, onClose, onChanged }: TransferDialogProps) {
  if (transfer.kind === 'import')
    return <ImportDialog table={table} file={transfer.file} onClose={onClose} onChanged={onChanged} />
  return (
    <ExportDialog table={table} indexName={indexName} selectedKeys={transfer.keys} find={find} onClose={onClose} />
  )
}
