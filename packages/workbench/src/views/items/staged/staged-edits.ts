import { attributeOf, setAttribute, type AttributeValue, type Item } from '@hashrange/core'
import type { TableDescription } from '../../../api-types.ts'
import { baseKey, keyText } from '../keys/keys.ts'
import { changesBetween, type AttributeChange } from '../write/save-item.ts'

/** An item that was changed in the grid and is not written yet. */
export interface StagedItem {
  /** As it was when it was first changed. */
  readonly loaded: Item
  readonly edited: Item
}

/** By the key, as text, in the order in which they were changed. */
export type StagedEdits = ReadonlyMap<string, StagedItem>

export const noEdits: StagedEdits = new Map()

/** With one attribute changed; nothing for the value removes it. What is as it was loaded is no longer staged. */
export function stageEdit(
  edits: StagedEdits,
  table: TableDescription,
  row: Item,
  name: string,
  value: AttributeValue | undefined,
): StagedEdits {
  const key = keyText(baseKey(table, row))
  const { loaded, edited } = edits.get(key) ?? { loaded: row, edited: row }
  const next: Record<string, AttributeValue> = {}
  for (const [each, old] of Object.entries(edited)) if (each !== name) setAttribute(next, each, old)
  if (value !== undefined) setAttribute(next, name, value)
  const all = new Map(edits)
  if (changesBetween(loaded, next).length === 0) all.delete(key)
  else all.set(key, { loaded, edited: next })
  return all
}

/** The row as it will be. */
export function editedRow(edits: StagedEdits, table: TableDescription, row: Item): Item {
  return edits.size === 0 ? row : (edits.get(keyText(baseKey(table, row)))?.edited ?? row)
}

export function isEdited(edits: StagedEdits, table: TableDescription, row: Item, name: string): boolean {
  const staged = edits.size === 0 ? undefined : edits.get(keyText(baseKey(table, row)))
  if (staged === undefined) return false
  return changesBetween(onlyOf(staged.loaded, name), onlyOf(staged.edited, name)).length > 0
}

export interface StagedChange extends AttributeChange {
  readonly keyText: string
  readonly item: StagedItem
}

/** Every attribute that is changed, item by item. */
export function stagedChanges(edits: StagedEdits): readonly StagedChange[] {
  return [...edits].flatMap(([key, item]) =>
    changesBetween(item.loaded, item.edited).map((change) => ({ ...change, keyText: key, item })),
  )
}

function onlyOf(item: Item, name: string): Item {
  const value = attributeOf(item, name)
  const only: Record<string, AttributeValue> = {}
  if (value !== undefined) setAttribute(only, name, value)
  return only
}
