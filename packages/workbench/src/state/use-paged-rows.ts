import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { PagedRows, type FetchPage, type PagedRowsState } from './paged-rows.ts'

/** Rows for a `DataGrid`, fetched as they come into sight. Begins anew when `fetchPage` changes: make it with `useCallback`.
 *
 *      const rows = usePagedRows(fetchPage)
 *      <DataGrid rowCount={rows.rowCount} rowAt={rows.rowAt} onSight={rows.need} … /> */
export function usePagedRows<Row, Cursor>(
  fetchPage: FetchPage<Row, Cursor>,
): PagedRowsState & Pick<PagedRows<Row, Cursor>, 'rowAt' | 'need' | 'retry'> {
  const pages = useMemo(() => new PagedRows(fetchPage), [fetchPage])
  useEffect(() => {
    pages.need(0, 0)
    return () => pages.close()
  }, [pages])
  const state = useSyncExternalStore(pages.subscribe, () => pages.state)
  return { ...state, rowAt: pages.rowAt, need: pages.need, retry: pages.retry }
}
