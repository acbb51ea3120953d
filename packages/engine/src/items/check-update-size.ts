import {
  attributeOf,
  itemSizeBytes,
  limits,
  setAttribute,
  unreachable,
  updateTooLarge,
  validationException,
  type AttributeValue,
  type Update,
  type UpdateAction,
} from '@hashrange/core'
import type { StoredItem } from './stored-item.ts'

/** UpdateItem, and no other way to update an item, checks the size of the update itself against the item limit: the
 *  attributes it writes, as they are afterwards, and a few bytes per action. If the rest of the item, mainly its key,
 *  is smaller than those bytes, an item can be rejected that PutItem accepts. The figures were measured on the
 *  service. */
export function checkUpdateSize({ actions }: Update, next: StoredItem): void {
  if (next.sizeBytes + updateBytes + actions.length * indexedWriteBytes <= limits.itemSizeBytes) return
  const { item } = next
  const written: Record<string, AttributeValue> = {}
  let bytes = updateBytes
  for (const action of actions) {
    bytes += bytesOf(action)
    const [head] = action.path
    if (head?.kind !== 'name' || !writes(action)) continue
    const value = attributeOf(item, head.name)
    if (value !== undefined) setAttribute(written, head.name, value)
  }
  if (bytes + itemSizeBytes(written) > limits.itemSizeBytes) throw validationException(updateTooLarge)
}

const updateBytes = 3
const writeBytes = 19
/** For an element of a list. */
const indexedWriteBytes = 20
const removalBytes = 2

function bytesOf(action: UpdateAction): number {
  if (!writes(action)) return removalBytes
  return action.path.at(-1)?.kind === 'index' ? indexedWriteBytes : writeBytes
}

function writes({ kind }: UpdateAction): boolean {
  switch (kind) {
    case 'set':
    case 'add':
      return true
    case 'remove':
    case 'delete':
      return false
    default:
      return unreachable(kind)
  }
}
