import type { CSSProperties, ReactNode } from 'react'
import { entityStyle } from '../../values/entity-colour.ts'
import './badge.css'

export type BadgeTone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger' | 'info'

export interface BadgeProps {
  readonly tone?: BadgeTone
  readonly children: ReactNode
  readonly title?: string
  readonly style?: CSSProperties
}

export function Badge({ tone = 'neutral', children, ...rest }: BadgeProps) {
  return (
    <span className={`badge badge-${tone}`} {...rest}>
      {children}
    </span>
  )
}

/** The status of a table, an index, a backup or a stream. */
export function StatusBadge({ status }: { readonly status: string }) {
  const tone = statusTones[status] ?? 'warning'
  return (
    <Badge tone={tone}>
      <span className="badge-dot" aria-hidden />
      {status.toLowerCase().replaceAll('_', ' ')}
    </Badge>
  )
}

const statusTones: Readonly<Record<string, BadgeTone>> = {
  ACTIVE: 'success',
  AVAILABLE: 'success',
  ENABLED: 'success',
  DISABLED: 'neutral',
  FAILED: 'danger',
  ARCHIVED: 'neutral',
}

/** What an item is, in its colour. */
export function EntityChip({ name }: { readonly name: string }) {
  return (
    <span className="entity-chip" style={entityStyle(name)}>
      {name}
    </span>
  )
}
