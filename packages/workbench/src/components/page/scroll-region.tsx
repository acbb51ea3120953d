import type { ReactNode } from 'react'
import './scroll-region.css'

export interface ScrollRegionProps {
  /** What is scrolled, for whoever comes to it with the keyboard. */
  readonly label: string
  readonly className?: string
  readonly children: ReactNode
}

/** What is wider or higher than its place. It can be focused, so that the arrow keys scroll it too. */
export function ScrollRegion({ label, className = '', children }: ScrollRegionProps) {
  return (
    <div className={`scroll-region ${className}`} role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}
