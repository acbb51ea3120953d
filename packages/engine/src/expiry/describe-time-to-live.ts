import type { TableDefinition } from '../definitions/table-definition.ts'

export interface TimeToLiveDescription {
  readonly AttributeName?: string
  readonly TimeToLiveStatus: 'ENABLED' | 'DISABLED'
}

/** Enabled at once, although the items that were there before are still being looked through: as in the service, when an
 *  item goes was never promised.
 *  A table forgets its attribute with its time to live: one where it was turned off looks as if it had never been on. */
export function describeTimeToLive({ timeToLive }: TableDefinition): TimeToLiveDescription {
  if (timeToLive === undefined) return { TimeToLiveStatus: 'DISABLED' }
  return {
    AttributeName: timeToLive.attributeName,
    TimeToLiveStatus: 'ENABLED',
  }
}
