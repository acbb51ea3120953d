/** The colours that a connection can have, each with its own in light and in dark. */
export type ConnectionColour = 'blue' | 'teal' | 'green' | 'amber' | 'orange' | 'red' | 'pink' | 'purple' | 'grey'

/** Another database that the page may use through its server. */
export interface ConnectionInfo {
  readonly name: string
  /** AWS costs money, and is somebody's production. */
  readonly kind: 'aws' | 'server'
  readonly colour: ConnectionColour
  /** What to show if no other region is chosen. */
  readonly region: string
  /** Where it is, and by which profile or key. */
  readonly place: string
  /** The address of a server. */
  readonly endpoint?: string
  /** What code that connects to a server signs with; real credentials if there is none. */
  readonly accessKeyId?: string
  /** Whether the page may write: only when somebody has switched it on, or not at all. */
  readonly writing: 'allowed' | 'on-request' | 'never'
  /** Whether it was declared when hashrange was started; otherwise the page has added it. */
  readonly isDeclared: boolean
}

/** A profile of the AWS configuration files. */
export interface AwsProfile {
  readonly name: string
  readonly region?: string | undefined
  /** Where its credentials come from. */
  readonly how: 'keys' | 'role' | 'sso' | 'process'
}

/** How far a copy from one database to another is. */
export interface CopyState {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly outcome: 'running' | 'done' | 'cancelled' | 'failed'
  /** The table that is being copied. */
  readonly tableName: string
  readonly done: number
  /** Of all that was begun; left out where nobody knows. */
  readonly total?: number
  /** Why it failed. */
  readonly problem?: string
}
