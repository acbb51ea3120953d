import { createContext, useContext, useEffect, useMemo, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { Scope, WorkbenchInfo } from '../api-types.ts'
import { useQueryText } from './address.ts'
import { remember, recall } from './memory.ts'
import { currentPath } from './url-state.ts'

const ScopeContext = createContext<Scope | undefined>(undefined)

/** Whose tables the page shows. It stands in the URL as `scope=<account>/<region>`. */
export function useScope(): Scope {
  const scope = useContext(ScopeContext)
  if (scope === undefined) throw new Error('useScope needs a ScopeProvider above it.')
  return scope
}

/** The scope of the URL, else the last one used if it has tables, else the default. The URL is updated to show it. */
export function ScopeProvider({ info, children }: { readonly info: WorkbenchInfo; readonly children: ReactNode }) {
  const search = useQueryText()
  const [, navigate] = useLocation()
  const asked = readScope(new URLSearchParams(search).get('scope'))
  // Whoever has signed in to an account sees that account.
  const written = asked !== undefined && isOwnAccount(info, asked) ? asked : undefined
  const chosen = written ?? rememberedScope(info) ?? info.defaultScope
  const { accountId, region } = chosen
  const scope = useMemo(() => ({ accountId, region }), [accountId, region])
  useEffect(() => {
    remember('scope', scopeText(scope))
    if (written !== undefined) return
    const query = new URLSearchParams(window.location.search)
    query.set('scope', scopeText(scope))
    navigate(`${currentPath()}?${query.toString()}`, { replace: true })
  }, [scope, written, navigate])
  return <ScopeContext value={scope}>{children}</ScopeContext>
}

export function scopeText({ accountId, region }: Scope): string {
  return `${accountId}/${region}`
}

export function isSameScope(a: Scope, b: Scope): boolean {
  return a.accountId === b.accountId && a.region === b.region
}

function readScope(text: string | null): Scope | undefined {
  const match = /^(\d{12})\/([A-Za-z0-9_-]{1,64})$/.exec(text ?? '')
  return match?.[1] === undefined || match[2] === undefined ? undefined : { accountId: match[1], region: match[2] }
}

function isOwnAccount({ signedIn }: WorkbenchInfo, { accountId }: Scope): boolean {
  return signedIn === undefined || signedIn.kind === 'operator' || signedIn.accountId === accountId
}

function rememberedScope(info: WorkbenchInfo): Scope | undefined {
  const last = readScope(recall('scope'))
  return info.scopes.find((scope) => last !== undefined && isSameScope(scope, last))
}
