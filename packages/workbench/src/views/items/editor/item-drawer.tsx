import type { Item } from '@hashrange/core'
import { useQuery } from '@tanstack/react-query'
import { useCall } from '../../../api/queries.ts'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { ErrorBox, Notice, Skeleton } from '../../../components/messages/notices.tsx'
import { keyText, keyTitle } from '../keys/keys.ts'
import { ItemEditor, type ItemEditorProps } from './item-editor.tsx'
import './item-drawer.css'

export type ItemDrawerProps = Omit<ItemEditorProps, 'loaded' | 'start'>

/** One item, to look at and to edit. */
export function ItemDrawer(props: ItemDrawerProps) {
  const { table, target, onClose } = props
  const call = useCall()
  const isNew = target.kind === 'new'
  const key = target.kind === 'edit' ? target.key : undefined
  const { data, error, refetch } = useQuery({
    queryKey: ['item', table.TableArn, key === undefined ? '' : keyText(key)],
    enabled: key !== undefined,
    gcTime: 0,
    // What is being edited is as it was loaded, until it is saved.
    refetchOnWindowFocus: false,
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const input = { TableName: table.TableName, Key: key, ConsistentRead: true }
      return (await call<{ Item?: Item }>('GetItem', input, signal)).Item ?? null
    },
  })
  if (target.kind === 'new') return <ItemEditor {...props} loaded={undefined} start={target.item} />
  if (data !== undefined && data !== null)
    return <ItemEditor key={keyText(target.key)} {...props} loaded={data} start={data} />
  return (
    <Dialog isOpen onClose={onClose} title={isNew ? 'New item' : keyTitle(target.key)} shape="drawer">
      {error !== null ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : data === null ? (
        <Notice tone="warning" title="This item does not exist">
          It may have been deleted, or its time to live may have expired.
        </Notice>
      ) : (
        <Skeleton lines={6} />
      )}
    </Dialog>
  )
}
