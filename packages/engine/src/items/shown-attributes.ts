import { updatedAttributes, type Item, type Update } from '@hashrange/core'
import type { ReturnValues } from '../api/item-inputs.ts'
import type { ShownItem } from './projection.ts'
import type { StoredItem } from './stored-item.ts'

/** What is returned of an item that was updated. */
export function shownAttributes(
  wanted: ReturnValues | undefined,
  update: Update | undefined,
  previous: StoredItem | undefined,
  next: StoredItem | undefined,
): ShownItem | undefined {
  switch (wanted) {
    case 'ALL_OLD':
      return previous?.json
    case 'ALL_NEW':
      return next?.json
    case 'UPDATED_OLD':
      return previous && update && unlessEmpty(updatedAttributes(update, previous.item))
    case 'UPDATED_NEW':
      return next && update && unlessEmpty(updatedAttributes(update, next.item))
    case 'NONE':
    case undefined:
      return undefined
  }
}

function unlessEmpty(item: Item): Item | undefined {
  return Object.keys(item).length === 0 ? undefined : item
}
