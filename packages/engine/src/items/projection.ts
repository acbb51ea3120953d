import { project, type Item, type Projection } from '@hashrange/core'
import type { Value } from '../store/store.ts'
import type { RawJson } from '../wire/raw-json.ts'
import { parseStored, storedJson } from './stored-item.ts'

/** An item as a client sees it: as stored, or projected. */
export type ShownItem = RawJson | Item

export function showItem(value: Value, projection: Projection | undefined): ShownItem {
  return projection === undefined ? storedJson(value) : project(projection, parseStored(value))
}
