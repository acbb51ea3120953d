import { lazy, Suspense } from 'react'
import type { ChartProps } from './chart-loaded.tsx'
import { Skeleton } from '../messages/notices.tsx'

export type { ChartSeries } from './chart-loaded.tsx'

const Loaded = lazy(() => {
  assureLanguage()
  return import('./chart-loaded.tsx')
})

/** Lines or bars over time. It is loaded when the first is shown. */
export function Chart(props: ChartProps) {
  return (
    <div style={{ height: props.heightPx ?? 180 }}>
      <Suspense fallback={<Skeleton lines={3} />}>
        <Loaded {...props} />
      </Suspense>
    </div>
  )
}

/** The library formats numbers in the browser's language, and cannot be loaded where that is none: `en-US@posix` is what
 *  Chromium says of a system without one. */
function assureLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language)
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true })
  }
}
