import { flag, json, text, type SetOptions, type UrlValues } from '../../state/url-state.ts'

export const noTexts: readonly string[] = []

/** What the address says of the view. */
export const itemsSchema = {
  index: text(),
  pk: json(noTexts, (value) => (Array.isArray(value) ? value.map(String) : noTexts)),
  sk: text(),
  desc: flag(),
  /** Looks through everything for partition keys that begin so. */
  prefix: flag(),
  entity: text(),
  /** The key of the item that is open. */
  item: text(),
  isNew: flag(),
}

export type ItemsUrl = UrlValues<typeof itemsSchema>
export type SetItemsUrl = (changes: Partial<ItemsUrl>, options?: SetOptions) => void
