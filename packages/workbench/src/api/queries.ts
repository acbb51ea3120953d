import { QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { ConnectionInfo } from '../answers/connections.ts'
import { scopeText, useConnectionName, useScope } from '../state/scope.tsx'
import { ApiError, call, fetchInfo, type Call } from './api.ts'
import { useWritingGrant } from './writing.ts'
import type { Scope, TableDescription, TimeToLive, WorkbenchInfo } from '../api-types.ts'

/** Responses of this server are cheap to request again, and never retried after an error. Those of other databases may cost
 *  money: they are kept longer, and a look at another window is no reason to ask again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: ({ queryKey }) => (isElsewhere(queryKey) ? 30_000 : 2_000),
      refetchOnWindowFocus: ({ queryKey }) => !isElsewhere(queryKey),
      retry: (count, error) => error instanceof ApiError && error.status === 0 && count < 2,
    },
  },
})

/** Keys of the cache begin with the scope, so that a change of scope shows nothing of another. */
export function scopeKey(scope: Scope): string {
  return scopeText(scope)
}

function isElsewhere([scope]: readonly unknown[]): boolean {
  return typeof scope === 'string' && scope.startsWith('@')
}

/** What the server says, as it applies to what is shown: a connection may be read-only where the server is not. */
export function useInfo(): WorkbenchInfo | undefined {
  const info = useServerInfo()
  const connection = useConnection()
  const grant = useWritingGrant(connection?.name)
  const isReadOnly = connection !== undefined && !mayWrite(connection, grant)
  return useMemo(
    () => (info !== undefined && isReadOnly && !info.readOnly ? { ...info, readOnly: true } : info),
    [info, isReadOnly],
  )
}

function useServerInfo(): WorkbenchInfo | undefined {
  return useQuery({ queryKey: ['info'], queryFn: ({ signal }) => fetchInfo(signal) }).data
}

/** The connection that is shown; nothing for this server. */
export function useConnection(): ConnectionInfo | undefined {
  const name = useConnectionName()
  return useServerInfo()?.connections.find((connection) => connection.name === name)
}

function mayWrite({ writing }: ConnectionInfo, grant: string | undefined): boolean {
  return writing === 'allowed' || (writing === 'on-request' && grant !== undefined)
}

/** `call` in the chosen scope. */
export function useCall(): Call {
  const scope = useScope()
  return useCallback((operation, input, signal) => call(scope, operation, input, signal), [scope])
}

/** The names of all tables, in their order. */
export function useTableNames() {
  const scope = useScope()
  return useQuery({
    queryKey: [scopeKey(scope), 'table-names'],
    queryFn: async ({ signal }) => {
      const names: string[] = []
      let start: string | undefined
      do {
        const page: TableNamesPage = await call<TableNamesPage>(
          scope,
          'ListTables',
          start === undefined ? {} : { ExclusiveStartTableName: start },
          signal,
        )
        names.push(...page.TableNames)
        start = page.LastEvaluatedTableName
      } while (start !== undefined)
      return names
    },
  })
}

interface TableNamesPage {
  readonly TableNames: readonly string[]
  readonly LastEvaluatedTableName?: string
}

/** A table's description; requested again every second while it is changing. */
export function useTable(name: string | undefined) {
  const scope = useScope()
  return useQuery({
    queryKey: [scopeKey(scope), 'table', name],
    enabled: name !== undefined && name !== '',
    queryFn: async ({ signal }) => {
      const { Table } = await call<{ Table: TableDescription }>(scope, 'DescribeTable', { TableName: name }, signal)
      return Table
    },
    refetchInterval: ({ state }) => (state.data !== undefined && isChanging(state.data) ? 1000 : false),
  })
}

export function useTimeToLive(name: string | undefined) {
  const scope = useScope()
  return useQuery({
    queryKey: [scopeKey(scope), 'ttl', name],
    enabled: name !== undefined && name !== '',
    queryFn: async ({ signal }) => {
      const { TimeToLiveDescription } = await call<{ TimeToLiveDescription: TimeToLive }>(
        scope,
        'DescribeTimeToLive',
        { TableName: name },
        signal,
      )
      return TimeToLiveDescription
    },
  })
}

/** Forgets what is known of tables and items in the scope, after a change. */
export function useRefresh(): () => Promise<void> {
  const client = useQueryClient()
  const scope = useScope()
  return useCallback(async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: [scopeKey(scope)] }),
      client.invalidateQueries({ queryKey: ['info'] }),
    ])
  }, [client, scope])
}

export function isChanging(table: TableDescription): boolean {
  return (
    table.TableStatus !== 'ACTIVE' ||
    (table.GlobalSecondaryIndexes ?? []).some(({ IndexStatus }) => IndexStatus !== 'ACTIVE')
  )
}
