import type { ReactNode } from 'react'
import './page.css'

export interface PageProps {
  readonly title: ReactNode
  /** Beside the title: counts, badges. */
  readonly aside?: ReactNode
  readonly actions?: ReactNode
  /** A row of controls below the title. */
  readonly toolbar?: ReactNode
  /** `scroll` pads the content and scrolls it; `fill` gives it the whole rest of the window, for grids. */
  readonly layout?: 'scroll' | 'fill'
  readonly children: ReactNode
}

/** The frame of a view: its title, what can be done, and the content. */
export function Page({ title, aside, actions, toolbar, layout = 'scroll', children }: PageProps) {
  return (
    <div className="page">
      <header className="page-head">
        <h1 className="page-title truncate">{title}</h1>
        {aside !== undefined && <div className="page-aside">{aside}</div>}
        <div className="grow" />
        {actions !== undefined && <div className="row">{actions}</div>}
      </header>
      {toolbar !== undefined && <div className="page-toolbar">{toolbar}</div>}
      <div className={`page-content page-content-${layout}`}>{children}</div>
    </div>
  )
}

export interface PanelProps {
  readonly title?: ReactNode
  readonly hint?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
  readonly className?: string
}

/** A titled card. */
export function Panel({ title, hint, actions, children, className }: PanelProps) {
  return (
    <section className={`panel ${className ?? ''}`}>
      {(title !== undefined || actions !== undefined) && (
        <header className="panel-head">
          <div className="grow">
            {title !== undefined && <h2 className="panel-title">{title}</h2>}
            {hint !== undefined && <p className="panel-hint">{hint}</p>}
          </div>
          {actions}
        </header>
      )}
      {children}
    </section>
  )
}

/** Names and values, in two columns. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name} className="fact">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
