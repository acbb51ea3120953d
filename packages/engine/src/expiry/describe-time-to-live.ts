import type { TableDefinition } from '../definitions/table-definition.ts'

export interface TimeToLiveDescription {
  readonly AttributeName?: string
  readonly TimeToLiveStatus: 'ENABLED' | 'DISABLED'
}

/** Enabled at once, although existing items are still being scanned: as in the service, there is no promise when an
 *  item is deleted. A table forgets its attribute when time to live is turned off: it looks as if it had never been
 *  on. */
export function describeTimeToLive({ timeToLive }: TableDefinition): TimeToLiveDescription {
  if (timeToLive === undefined) return { TimeToLiveStatus: 'DISABLED' }
  return {
    AttributeName: timeToLive.attributeName,
    TimeToLiveStatus: 'ENABLED',
  }
}
