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

/** UpdateItem, and no other way to update an item, holds what the update itself comes to against the limit of items: the
 *  attributes it writes, as they are then, and a few bytes for each action. Where the rest of the item, its key
 *  above all, is smaller than those bytes, an item can be refused that PutItem takes. The figures were measured on the service. */
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
