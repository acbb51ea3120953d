import { Listeners } from '../../../state/listeners.ts'
import { recallJson, rememberJson } from '../../../state/memory.ts'

/** A query that is kept: by its address, which reproduces it. */
export interface KeptQuery {
  readonly id: string
  readonly view: 'query' | 'partiql'
  readonly table: string
  /** Of a saved one its name, of one in the history what it asks for. */
  readonly title: string
  /** The parameters of the address, without the scope. */
  readonly search: string
  /** Milliseconds since 1970. */
  readonly at: number
}

export interface Library {
  readonly saved: readonly KeptQuery[]
  /** The newest first. */
  readonly history: readonly KeptQuery[]
}

const emptyLibrary: Library = { saved: [], history: [] }
const mostSaved = 500
const mostOfTable = 40
const mostHistory = 200
/** A browser keeps five million characters for all pages of a server together. */
const longestSearch = 8_000

const listeners = new Listeners()
const loaded = new Map<string, Library>()

/** The queries of an account and region, as this browser remembers them. */
export function libraryOf(scope: string): Library {
  const known = loaded.get(scope)
  if (known !== undefined) return known
  const library = recallJson(`queries.${scope}`, emptyLibrary, checkLibrary)
  loaded.set(scope, library)
  return library
}

export const subscribeLibrary = listeners.subscribe

export function changeLibrary(scope: string, change: (library: Library) => Library): void {
  const next = change(libraryOf(scope))
  loaded.set(scope, next)
  rememberJson(`queries.${scope}`, next)
  listeners.notify()
}

/** The same query again moves to the front. */
export function withHistory(library: Library, query: KeptQuery): Library {
  if (query.search.length > longestSearch) return library
  const others = library.history.filter(({ id }) => id !== query.id)
  const ofTable = others.filter(({ table }) => table === query.table).slice(0, mostOfTable - 1)
  const kept = others.filter((each) => each.table !== query.table || ofTable.includes(each))
  return { ...library, history: [query, ...kept].slice(0, mostHistory) }
}

/** A name is given once for each table: saving again replaces. */
export function withSaved(library: Library, query: KeptQuery): Library {
  const others = library.saved.filter(
    ({ title, table, view }) => title !== query.title || table !== query.table || view !== query.view,
  )
  return { ...library, saved: [query, ...others].slice(0, mostSaved) }
}

export function without(library: Library, id: string): Library {
  const keep = (query: KeptQuery): boolean => query.id !== id
  return { saved: library.saved.filter(keep), history: library.history.filter(keep) }
}

/** A file for colleagues, or for another browser. */
export function exportLibrary(library: Library): string {
  return `${JSON.stringify({ formatVersion: 1, kind: 'hashrange-queries', ...library }, undefined, 2)}\n`
}

/** Adds what a file has; throws where it is no such file. */
export function importLibrary(
  library: Library,
  text: string,
): { readonly library: Library; readonly added: number } {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new Error('This file is not valid JSON. Choose one that was exported here.')
  }
  const { kind } = (parsed ?? {}) as { readonly kind?: unknown }
  if (kind !== 'hashrange-queries')
    throw new Error('This file contains no queries. Choose one that was exported here.')
  const { saved, history } = checkLibrary(parsed)
  const known = new Set(library.saved.map(({ id }) => id))
  const added = saved.filter(({ id }) => !known.has(id)).length
  let next = library
  for (const query of saved.toReversed()) next = withSaved(next, query)
  for (const query of history.toReversed()) next = withHistory(next, query)
  return { library: next, added }
}

export function queryId(view: string, table: string, search: string, title = ''): string {
  return `${view}/${table}?${search}#${title}`
}

/** What is remembered may be of another version, or have been changed by hand. */
export function checkLibrary(value: unknown): Library {
  const { saved, history } = (value ?? {}) as { readonly saved?: unknown; readonly history?: unknown }
  return {
    saved: checkQueries(saved).slice(0, mostSaved),
    history: checkQueries(history).slice(0, mostHistory),
  }
}

function checkQueries(value: unknown): KeptQuery[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: unknown): KeptQuery[] => {
    const { view, table, title, search, at, id } = (entry ?? {}) as Readonly<Record<string, unknown>>
    if (typeof table !== 'string' || typeof title !== 'string' || typeof search !== 'string') return []
    if (search.length > longestSearch || (view !== 'query' && view !== 'partiql')) return []
    return [
      {
        view,
        table: table.slice(0, 255),
        title: title.slice(0, 300),
        search,
        at: typeof at === 'number' && Number.isFinite(at) ? at : 0,
        id: typeof id === 'string' ? id : queryId(view, table, search, title),
      },
    ]
  })
}
