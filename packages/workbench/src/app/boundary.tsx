import { Component, type ReactNode } from 'react'
import { ErrorBox } from '../components/notices.tsx'

/** A view that fails takes nothing else with it. */
export class Boundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return (
      <div className="loading">
        <ErrorBox error={error} onRetry={() => this.setState({ error: undefined })} />
      </div>
    )
  }
}
