import { CircleAlert, Info, ShieldAlert, TriangleAlert } from '../../icons/icons.generated.ts'
import { createContext, Suspense, useContext, type ComponentType, type ReactNode } from 'react'
import { ApiError, isDenied, type AskedOperation } from '../../api/api.ts'
import { readDenial } from '../../api/denial.ts'
import { Button } from '../controls/button.tsx'
import './notices.css'

/** What went wrong, in the service's words, and what to do about it. */
export function ErrorBox({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  if (error instanceof ApiError && isDenied(error)) {
    return <DeniedBox error={error} onRetry={onRetry} />
  }
  const name = error instanceof ApiError ? error.name : 'Something went wrong'
  const message = error instanceof Error ? error.message : String(error)
  const hint = error instanceof ApiError ? error.hint : undefined
  return (
    <div className="notice notice-danger" role="alert">
      <CircleAlert aria-hidden />
      <div className="grow">
        <p className="notice-title">{name}</p>
        {message !== name && <p className="notice-words">{message}</p>}
        {hint !== undefined && <p className="notice-hint">{hint}</p>}
      </div>
      {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
    </div>
  )
}

/** A button that opens why something was denied, where policies decide. */
export const WhyContext = createContext<ComponentType<{ readonly asked: AskedOperation }> | undefined>(undefined)

/** What was denied, on what, and by which kind of policy. */
function DeniedBox({ error, onRetry }: { readonly error: ApiError; readonly onRetry: (() => void) | undefined }) {
  const denial = readDenial(error.message)
  const { asked } = error
  const Why = useContext(WhyContext)
  return (
    <div className="notice notice-danger" role="alert">
      <ShieldAlert aria-hidden />
      <div className="grow">
        <p className="notice-title">
          {denial === undefined ? 'Access denied' : `You may not use ${denial.action}`}
        </p>
        {denial === undefined ? (
          <p className="notice-words">{error.message}</p>
        ) : (
          <>
            <p className="notice-words mono">{denial.resource}</p>
            <p className="notice-hint">{denial.reason}</p>
          </>
        )}
      </div>
      {Why !== undefined && asked !== undefined && (
        <Suspense fallback={null}>
          <Why asked={asked} />
        </Suspense>
      )}
      {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
    </div>
  )
}

export interface NoticeProps {
  readonly tone?: 'info' | 'warning'
  readonly title?: string
  readonly children: ReactNode
  readonly actions?: ReactNode
}

export function Notice({ tone = 'info', title, children, actions }: NoticeProps) {
  return (
    <div className={`notice notice-${tone}`} role="note">
      {tone === 'info' ? <Info aria-hidden /> : <TriangleAlert aria-hidden />}
      <div className="grow">
        {title !== undefined && <p className="notice-title">{title}</p>}
        <div className="notice-words">{children}</div>
      </div>
      {actions}
    </div>
  )
}

export interface EmptyStateProps {
  readonly icon: ReactNode
  readonly title: string
  /** What this is for and how to come by some. */
  readonly children: ReactNode
  readonly actions?: ReactNode
}

/** Where there is nothing yet: says what there could be, and how. */
export function EmptyState({ icon, title, children, actions }: EmptyStateProps) {
  return (
    <div className="empty">
      <div className="empty-icon" aria-hidden>
        {icon}
      </div>
      <h2 className="empty-title">{title}</h2>
      <div className="empty-text">{children}</div>
      {actions !== undefined && <div className="row">{actions}</div>}
    </div>
  )
}

/** A placeholder for what is being fetched, until it arrives or fails. */
export function Waiting({
  error,
  onRetry,
  lines,
}: {
  readonly error: Error | null
  readonly onRetry: () => unknown
  readonly lines: number
}) {
  return error === null ? <Skeleton lines={lines} /> : <ErrorBox error={error} onRetry={() => void onRetry()} />
}

/** The place of what is being fetched. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div className="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, position) => (
        <span
          key={position}
          className="skeleton-line"
          style={{ width: `${String(88 - ((position * 29) % 45))}%` }}
        />
      ))}
    </div>
  )
}
