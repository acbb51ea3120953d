import { itemSizeBytes, type Item } from '@hashrange/core'
import { ApiError, type Call } from '../../../api/api.ts'
import type { TableDescription } from '../../../api-types.ts'
import { tell, tellError } from '../../../components/messages/toast.tsx'
import type { JobReport } from '../../../components/messages/job.tsx'
import { plural } from '../../../values/format.ts'
import type { KeyList } from '../keys/keys.ts'
import { inParallel } from './in-parallel.ts'
import { createRequest } from './save-item.ts'

/** Deletes one item and offers to undo it. */
export async function deleteItem(
  call: Call,
  table: TableDescription,
  key: Item,
  onUndone: () => void,
): Promise<void> {
  const { Attributes } = await call<{ Attributes?: Item }>('DeleteItem', deletion(table, key))
  if (Attributes === undefined) return tell('The item had already been deleted')
  tell('Item deleted', { undo: () => putBack(call, table, [Attributes], onUndone) })
}

/** What can be put back is kept up to this size. */
const keptBytes = 20_000_000

/** Deletes many items. Deleted items are kept for an undo as far as memory allows: `deleted` is called at the end,
 *  also after a cancellation. */
export async function deleteItems(
  call: Call,
  table: TableDescription,
  keys: KeyList,
  signal: AbortSignal,
  report: (report: JobReport) => void,
): Promise<{ readonly deleted: readonly Item[]; readonly count: number; readonly isComplete: boolean }> {
  const deleted: Item[] = []
  let bytes = 0
  let count = 0
  report({ done: 0, total: keys.size })
  try {
    await inParallel(keys, 6, signal, async (key) => {
      const { Attributes } = await call<{ Attributes?: Item }>('DeleteItem', deletion(table, key), signal)
      count++
      if (Attributes !== undefined && bytes <= keptBytes) {
        bytes += itemSizeBytes(Attributes)
        deleted.push(Attributes)
      }
      report({ done: count, total: keys.size })
    })
  } catch (error) {
    if (!signal.aborted) throw error
  }
  return { deleted, count, isComplete: bytes <= keptBytes }
}

/** Puts deleted items back where nothing has taken their place. */
export async function putBack(
  call: Call,
  table: TableDescription,
  items: readonly Item[],
  onDone: () => void,
): Promise<void> {
  let taken = 0
  try {
    await inParallel(items, 6, new AbortController().signal, async (item) => {
      try {
        await call('PutItem', createRequest(table, item))
      } catch (error) {
        if (!(error instanceof ApiError) || error.name !== 'ConditionalCheckFailedException') throw error
        taken++
      }
    })
    tell(`${plural(items.length - taken, 'item')} restored`, {
      ...(taken > 0 && {
        description: `${plural(taken, 'key has', 'keys have')} a new item by now, which was not changed.`,
      }),
    })
  } catch (error) {
    tellError(error)
  }
  onDone()
}

function deletion(table: TableDescription, key: Item): object {
  return { TableName: table.TableName, Key: key, ReturnValues: 'ALL_OLD' }
}
