import { Component, type ReactNode } from 'react'
import { ApiError } from '../api/api.ts'
import { connectionAnswered, onRecovered } from '../api/connection.ts'
import { ErrorBox } from '../components/messages/notices.tsx'

/** A view that fails takes nothing else with it. One whose files could not be fetched comes back with the server. */
export class Boundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined }
  #forget: (() => void) | undefined

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch(error: unknown): void {
    if (!isLoadError(error)) return
    // What does not exist is requested until it does: the page does so while nobody answers.
    connectionAnswered(false)
    this.#forget = onRecovered(reload)
  }

  override componentWillUnmount(): void {
    this.#forget?.()
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return (
      <div className="loading">
        {isLoadError(error) ? (
          <ErrorBox error={new ApiError('Unreachable', 'This view could not be loaded.', 0)} onRetry={reload} />
        ) : (
          <ErrorBox error={error} onRetry={() => this.setState({ error: undefined })} />
        )}
      </div>
    )
  }
}

/** The files of a view are fetched when it is first opened. */
function isLoadError(error: unknown): boolean {
  return (
    error instanceof Error && /dynamically imported module|preload CSS|module script failed/i.test(error.message)
  )
}

const reloadsApartMs = 20_000
const reloadedName = 'hashrange.reloaded'

/** A browser does not fetch again what it failed to import. All that a view shows is in the address. */
function reload(): void {
  const last = Number(sessionStorage.getItem(reloadedName) ?? 0)
  // Files that stay missing must not make a page that loads for ever.
  if (Date.now() - last < reloadsApartMs) return
  sessionStorage.setItem(reloadedName, String(Date.now()))
  window.location.reload()
}
