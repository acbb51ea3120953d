import type { Item } from '@hashrange/core'
import { useCallback, useState } from 'react'
import { keyNames, schemaKeys, typeOfKey } from '../../api/table-facts.ts'
import type { TableDescription } from '../../api-types.ts'
import type { ItemDrawerProps } from './editor/item-drawer.tsx'
import type { ItemsUrl, SetItemsUrl } from './items-url.ts'
import { baseKey, keyFromText, keyText } from './keys/keys.ts'

export interface OpenItem {
  /** The item in the drawer, if it is open. */
  readonly target: ItemDrawerProps['target'] | undefined
  readonly open: (row: Item) => void
  readonly create: () => void
  readonly duplicate: (item: Item) => void
  readonly close: () => void
}

/** The open item: the address contains its key, and memory what a new one starts with. */
export function useOpenItem(
  table: TableDescription,
  url: ItemsUrl,
  setUrl: SetItemsUrl,
  isReadOnly: boolean,
): OpenItem {
  const [draft, setDraft] = useState<Item>({})
  const open = useCallback(
    (row: Item) => setUrl({ item: keyText(baseKey(table, row)) }, { push: true }),
    [setUrl, table],
  )
  const create = useCallback(() => {
    setDraft(emptyItem(table))
    setUrl({ isNew: true, item: '' }, { push: true })
  }, [setUrl, table])
  const duplicate = (item: Item): void => {
    setDraft(item)
    setUrl({ item: '', isNew: true })
  }
  const isNew = url.isNew && !isReadOnly
  const close = (): void => setUrl(isNew ? { isNew: false } : { item: '' })
  const key = url.item === '' ? undefined : keyFromText(url.item, keyNames(schemaKeys(table.KeySchema)))
  const target: OpenItem['target'] = isNew
    ? { kind: 'new', item: Object.keys(draft).length === 0 ? emptyItem(table) : draft }
    : key === undefined
      ? undefined
      : { kind: 'edit', key }
  return { target, open, create, duplicate, close }
}

/** A new item begins with its key. */
function emptyItem(table: TableDescription): Item {
  return Object.fromEntries(
    keyNames(schemaKeys(table.KeySchema)).map((name) => [
      name,
      { [typeOfKey(table, name)]: '' } as unknown as Item[string],
    ]),
  )
}
