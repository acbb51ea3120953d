import { useCallback } from 'react'
import { useLocation } from 'wouter'
import { scopeText, useScope } from './scope.tsx'

export type LinkParameters = Readonly<Record<string, string | number | boolean | undefined>>

/** The address of a view, below the workbench's own: `link('items', 'shop', { index: 'gsi1' })`. Give it to wouter's `Link`. */
export function useLink(): (view: string, table?: string, parameters?: LinkParameters) => string {
  const scope = useScope()
  return useCallback(
    (view, table, parameters = {}) => {
      const query = new URLSearchParams({ scope: scopeText(scope) })
      for (const [name, value] of Object.entries(parameters)) {
        if (value !== undefined && value !== '') query.set(name, value === true ? '1' : String(value))
      }
      const path = table === undefined || table === '' ? `/${view}` : `/${view}/${encodeURIComponent(table)}`
      return `${path}?${query.toString()}`
    },
    [scope],
  )
}

/** Goes to a view. */
export function useGo(): (view: string, table?: string, parameters?: LinkParameters) => void {
  const link = useLink()
  const [, navigate] = useLocation()
  return useCallback((view, table, parameters) => navigate(link(view, table, parameters)), [link, navigate])
}
