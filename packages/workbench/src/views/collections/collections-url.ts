import { json, text, type SetOptions, type UrlValues } from '../../state/url-state.ts'

export const noNames: readonly string[] = []
const names = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : noNames)

const noTexts: Readonly<Record<string, string>> = {}
const textsOf = (value: unknown): Readonly<Record<string, string>> =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]))
    : noTexts

/** What the address says of the view. */
export const collectionsSchema = {
  /** The sources that are not shown; the table's own name is empty. */
  hide: json(noNames, names),
  entities: json(noNames, names),
  /** Where each source's page begins: the name of the source, then a key. */
  at: json(noTexts, textsOf),
  /** The partition that is looked for in a source: the name of the source, then its key as it was typed. */
  find: json(noTexts, textsOf),
  /** The item that is followed, and in which source it was found. */
  item: text(),
  from: text('-'),
  /** The source to begin with. */
  source: text('-'),
  edit: text(),
}

export type CollectionsUrl = UrlValues<typeof collectionsSchema>
export type SetCollectionsUrl = (changes: Partial<CollectionsUrl>, options?: SetOptions) => void

/** The texts of all sources when that of one is another. */
export function withText(
  texts: Readonly<Record<string, string>>,
  source: string,
  text: string | undefined,
): Readonly<Record<string, string>> {
  const { [source]: _, ...others } = texts
  return text === undefined || text === '' ? others : { ...others, [source]: text }
}
