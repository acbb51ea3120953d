import type { Item } from '@hashrange/core'
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { onRecovered } from '../../../api/connection.ts'
import { useCall } from '../../../api/queries.ts'
import type { TableDescription } from '../../../api-types.ts'
import { PagedRows } from '../../../state/paged-rows.ts'
import type { KeyFind } from '../find/find-request.ts'
import { ScanRows } from './scan-rows.ts'
import { foundRows, scanSource } from './source-rows.ts'

export interface SourceRows {
  readonly rowCount: number
  readonly rowAt: (index: number) => Item | undefined
  /** Those that the page holds now. */
  readonly loaded: () => readonly Item[]
  readonly need: (first: number, last: number) => void
  readonly retry: () => void
  readonly refresh: () => void
  readonly error: unknown
  readonly isLoading: boolean
  readonly isComplete: boolean
  readonly version: number
  readonly shift: number
  /** Whether rows are numbered from the first, and not by an estimate. */
  readonly isCounted: boolean
  /** How many items were read to find these, where a filter passes over some. */
  readonly scannedItems: number
}

/** The rows of a table or index, or those that are found in it. */
export function useSourceRows(
  table: TableDescription,
  indexName: string | undefined,
  estimatedRows: number,
  find: KeyFind | undefined,
): SourceRows {
  const call = useCall()
  const [revision, setRevision] = useState(0)
  const [scannedItems, setScanned] = useState(0)
  // Counts change all the time: only another key starts again.
  const latest = useRef({ table, estimatedRows })
  latest.current = { table, estimatedRows }
  const request = find === undefined ? '' : JSON.stringify(find)
  const rows = useMemo(() => {
    const { table: now, estimatedRows: estimate } = latest.current
    if (request === '') return new ScanRows(scanSource(call, now, indexName), estimate)
    const parsed = JSON.parse(request) as KeyFind
    let scanned = 0
    return new PagedRows(foundRows(call, now, indexName, parsed, (count) => setScanned((scanned += count))))
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [call, table.TableName, indexName, request, revision])
  useEffect(() => {
    setScanned(0)
    rows.need(0, 0)
    return () => rows.close()
  }, [rows])
  useEffect(
    () =>
      onRecovered(() => {
        if (rows.state.error === undefined) return
        if (rows instanceof ScanRows) void rows.refresh()
        else rows.retry()
      }),
    [rows],
  )
  const state = useSyncExternalStore(rows.subscribe, () => rows.state)
  const refresh = useCallback(() => {
    if (rows instanceof ScanRows) void rows.refresh()
    else setRevision((known) => known + 1)
  }, [rows])
  return {
    rowCount: state.rowCount,
    rowAt: rows.rowAt,
    loaded: rows.loaded,
    need: rows.need,
    retry: rows.retry,
    refresh,
    error: state.error,
    isLoading: state.isLoading,
    isComplete: state.isComplete,
    version: state.version,
    shift: 'shift' in state ? state.shift : 0,
    isCounted: 'isCounted' in state ? state.isCounted : true,
    scannedItems,
  }
}
