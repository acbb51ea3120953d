import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { Router } from 'wouter'
import { isClosed, useIsLocked } from '../api/access.ts'
import { fetchInfo } from '../api/api.ts'
import { queryClient } from '../api/queries.ts'
import { Waiting, WhyContext } from '../components/messages/notices.tsx'
import { ToastHost } from '../components/messages/toast.tsx'
import { TooltipProvider } from '../components/controls/tooltip.tsx'
import { ConfirmHost } from '../components/dialogs/confirm.tsx'
import { ScopeProvider } from '../state/scope.tsx'
import { basePath } from '../state/address.ts'
import { Locked } from './locked.tsx'
import { Reconnect } from './reconnect.tsx'
import { Shell } from './shell.tsx'
import { styleNonce } from '../components/style-nonce.ts'

/** Only errors of closed servers have it. */
const WhyButton = lazy(() => import('../components/access/why-button.tsx'))

export function App() {
  return (
    <CSPProvider nonce={styleNonce} disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <TooltipProvider delay={350}>
          <WhyContext value={isClosed ? WhyButton : undefined}>
            <Router base={basePath}>
              <Start />
            </Router>
          </WhyContext>
          <ConfirmHost />
          <ToastHost />
          <Reconnect />
          <Locked />
        </TooltipProvider>
      </QueryClientProvider>
    </CSPProvider>
  )
}

/** Nothing can be shown before it is known which tables there are. */
function Start() {
  const isLocked = useIsLocked()
  const {
    data: info,
    error,
    refetch,
  } = useQuery({ queryKey: ['info'], queryFn: ({ signal }) => fetchInfo(signal) })
  if (info !== undefined) {
    return (
      <ScopeProvider info={info}>
        <Shell info={info} />
      </ScopeProvider>
    )
  }
  return (
    <main className="start">
      <Waiting error={isLocked ? null : error} onRetry={refetch} lines={5} />
    </main>
  )
}
