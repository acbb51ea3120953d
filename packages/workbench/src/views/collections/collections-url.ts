import { json, text, type SetOptions, type UrlValues } from '../../state/url-state.ts'

export const noNames: readonly string[] = []
const names = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : noNames)

/** What the address says of the view. */
export const collectionsSchema = {
  /** The sources that are not shown; the table's own name is empty. */
  hide: json(noNames, names),
  entities: json(noNames, names),
  /** Where each source's page begins: the name of the source, then a key. */
  at: json<Readonly<Record<string, string>>>({}, (value) =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, key]) => [name, String(key)]))
      : {},
  ),
  /** The item that is followed, and in which source it was found. */
  item: text(),
  from: text('-'),
  /** The source to begin with. */
  source: text('-'),
  edit: text(),
}

export type CollectionsUrl = UrlValues<typeof collectionsSchema>
export type SetCollectionsUrl = (changes: Partial<CollectionsUrl>, options?: SetOptions) => void

/** Where the pages begin when that of one source has moved; nothing is its beginning. */
export function withAt(at: CollectionsUrl['at'], source: string, cursor: string | undefined): CollectionsUrl['at'] {
  const { [source]: _, ...others } = at
  return cursor === undefined ? others : { ...others, [source]: cursor }
}
