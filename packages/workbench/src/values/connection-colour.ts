import type { CSSProperties } from 'react'
import type { ConnectionColour } from '../answers/connections.ts'

/** Puts a connection's colour where its styles find it. */
export function connectionStyle(colour: ConnectionColour): CSSProperties {
  return { '--connection': `var(--connection-${colour})` } as CSSProperties
}
