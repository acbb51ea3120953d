import { createContext, useContext, useEffect, useMemo, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { Scope, WorkbenchInfo } from '../api-types.ts'
import { useQueryText } from './address.ts'
import { remember, recall } from './memory.ts'
import { currentPath } from './url-state.ts'

const ScopeContext = createContext<Scope | undefined>(undefined)

/** Whose tables the page shows. It stands in the URL as `scope=<account>/<region>`, or `scope=@<connection>/<region>` for
 *  another database. */
export function useScope(): Scope {
  const scope = useContext(ScopeContext)
  if (scope === undefined) throw new Error('useScope needs a ScopeProvider above it.')
  return scope
}

/** The name of the connection that is shown; nothing on this server, or before anything is shown. */
export function useConnectionName(): string | undefined {
  return useContext(ScopeContext)?.connection
}

/** The scope of the URL, else the last one used if it has tables, else the default. The URL is updated to show it. */
export function ScopeProvider({ info, children }: { readonly info: WorkbenchInfo; readonly children: ReactNode }) {
  const search = useQueryText()
  const [, navigate] = useLocation()
  const asked = readScope(new URLSearchParams(search).get('scope'))
  // Whoever has signed in to an account sees that account.
  const written = asked !== undefined && isThere(info, asked) ? asked : undefined
  const chosen = written ?? rememberedScope(info) ?? firstScope(info)
  const { accountId, region, connection } = chosen
  const scope = useMemo(
    () => ({ accountId, region, ...(connection !== undefined && { connection }) }),
    [accountId, region, connection],
  )
  useEffect(() => {
    remember('scope', scopeText(scope))
    if (written !== undefined) return
    const query = new URLSearchParams(window.location.search)
    query.set('scope', scopeText(scope))
    navigate(`${currentPath()}?${query.toString()}`, { replace: true })
  }, [scope, written, navigate])
  return <ScopeContext value={scope}>{children}</ScopeContext>
}

export function scopeText({ accountId, region, connection }: Scope): string {
  return connection === undefined ? `${accountId}/${region}` : `@${connection}/${region}`
}

export function isSameScope(a: Scope, b: Scope): boolean {
  return a.accountId === b.accountId && a.region === b.region && a.connection === b.connection
}

function readScope(text: string | null): Scope | undefined {
  const [, accountId, connection, region] =
    /^(?:(\d{12})|@([A-Za-z0-9_.-]{1,40}))\/([A-Za-z0-9_-]{1,64})$/.exec(text ?? '') ?? []
  if (region === undefined) return undefined
  return { accountId: accountId ?? '', region, ...(connection !== undefined && { connection }) }
}

function isThere({ signedIn, connections, hasDatabase }: WorkbenchInfo, { accountId, connection }: Scope): boolean {
  if (connection !== undefined) return connections.some(({ name }) => name === connection)
  return hasDatabase && isOwnAccount(signedIn, accountId)
}

function isOwnAccount(signedIn: WorkbenchInfo['signedIn'], accountId: string): boolean {
  return signedIn === undefined || signedIn.kind === 'operator' || signedIn.accountId === accountId
}

function rememberedScope(info: WorkbenchInfo): Scope | undefined {
  const last = readScope(recall('scope'))
  if (last?.connection !== undefined) return isThere(info, last) ? last : undefined
  return info.scopes.find((scope) => last !== undefined && isSameScope(scope, last))
}

/** A workbench without a database of its own begins with the first connection. */
function firstScope({ hasDatabase, connections, defaultScope }: WorkbenchInfo): Scope {
  const [first] = connections
  return hasDatabase || first === undefined
    ? defaultScope
    : { accountId: '', region: first.region, connection: first.name }
}
