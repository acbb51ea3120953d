export type LinkState = 'connecting' | 'up' | 'down' | 'cut' | 'elsewhere'

/** The states in words for people. */
export const linkStateText = {
  connecting: 'not up yet',
  up: 'up',
  down: 'down',
  cut: 'cut off on purpose',
  elsewhere: 'up at another server of the same store',
} as const satisfies Record<LinkState, string>

/** How a link stands, for people and programs. */
export interface LinkStatus {
  readonly region: string
  readonly url: string
  /** `cut` on purpose; `elsewhere` if another server of the same store receives. */
  readonly state: LinkState
  /** Since when, by the calendar. */
  readonly sinceMs: number
  /** Why it is down. */
  readonly error?: string | undefined
  readonly receivedBytes: number
  readonly receivedChanges: number
  /** How far the clock there is ahead of the one here. */
  readonly clockAheadMs: number
}
