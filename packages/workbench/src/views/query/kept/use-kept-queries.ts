import { useCallback, useSyncExternalStore } from 'react'
import { useScope, scopeText } from '../../../state/scope.tsx'
import {
  changeLibrary,
  libraryOf,
  queryId,
  subscribeLibrary,
  withHistory,
  withSaved,
  type KeptQuery,
  type Library,
} from './query-library.ts'

/** The saved queries and the history of the scope. */
export function useKeptQueries() {
  const scope = scopeText(useScope())
  const library = useSyncExternalStore(subscribeLibrary, () => libraryOf(scope))
  const change = useCallback((next: (library: Library) => Library) => changeLibrary(scope, next), [scope])
  /** Keeps what the address says now. */
  const keep = useCallback(
    (kind: 'saved' | 'history', view: KeptQuery['view'], table: string, title: string) => {
      const search = currentSearch()
      const id = queryId(view, table, search, kind === 'saved' ? `saved:${title}` : '')
      const query: KeptQuery = { id, view, table, title: title.slice(0, 300), search, at: Date.now() }
      change((known) => (kind === 'saved' ? withSaved(known, query) : withHistory(known, query)))
    },
    [change],
  )
  return { library, change, keep }
}

/** The parameters of the address, without the scope and the current view. */
function currentSearch(): string {
  const query = new URLSearchParams(window.location.search)
  for (const name of ['scope', 'tab', 'run']) query.delete(name)
  return query.toString()
}
