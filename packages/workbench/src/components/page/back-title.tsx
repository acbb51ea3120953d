import { ArrowLeft } from '../../icons/icons.generated.ts'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import './back-title.css'

export interface BackTitleProps {
  readonly href: string
  /** What the way back leads to. */
  readonly backTo: string
  readonly children: ReactNode
}

/** The title of a page about one of many, with the way back to all of them. */
export function BackTitle({ href, backTo, children }: BackTitleProps) {
  return (
    <span className="back-title">
      <Link href={href} className="back-title-link" aria-label={backTo}>
        <ArrowLeft aria-hidden />
      </Link>
      {children}
    </span>
  )
}
