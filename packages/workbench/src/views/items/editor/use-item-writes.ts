import type { Item } from '@hashrange/core'
import { useState } from 'react'
import { useCall } from '../../../api/queries.ts'
import type { TableDescription } from '../../../api-types.ts'
import { tell, tellError } from '../../../components/messages/toast.tsx'
import { baseKey } from '../keys/keys.ts'
import { deleteItem } from '../write/delete-items.ts'
import { saveItem } from '../write/save-item.ts'

export interface ItemWrites {
  readonly save: (item: Item) => Promise<void>
  readonly remove: () => Promise<void>
  readonly isSaving: boolean
  readonly error: unknown
  /** Somebody else has changed the item meanwhile: it is not saved until that is settled. */
  readonly conflict: { readonly theirs: Item | undefined; readonly mine: Item } | undefined
  readonly settle: () => void
}

/** Saves or deletes the item of the editor, which is closed then. */
export function useItemWrites(
  table: TableDescription,
  loaded: Item | undefined,
  { onChanged, onClose }: { readonly onChanged: () => void; readonly onClose: () => void },
): ItemWrites {
  const call = useCall()
  const [conflict, setConflict] = useState<ItemWrites['conflict']>()
  const [isSaving, setSaving] = useState(false)
  const [error, setError] = useState<unknown>()
  const save = async (item: Item): Promise<void> => {
    setSaving(true)
    setError(undefined)
    try {
      const outcome = await saveItem(call, table, loaded, item)
      if (outcome.kind === 'conflict') return setConflict({ theirs: outcome.theirs, mine: item })
      tell(loaded === undefined ? 'Item created' : 'Item saved')
      onChanged()
      onClose()
    } catch (failure) {
      setError(failure)
    } finally {
      setSaving(false)
    }
  }
  const remove = async (): Promise<void> => {
    if (loaded === undefined) return
    try {
      await deleteItem(call, table, baseKey(table, loaded), onChanged)
      onChanged()
      onClose()
    } catch (failure) {
      tellError(failure)
    }
  }
  return { save, remove, isSaving, error, conflict, settle: () => setConflict(undefined) }
}
