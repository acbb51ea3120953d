import type { TableDefinition } from '../catalog/table-definition.ts'

export interface TimeToLiveDescription {
  readonly AttributeName?: string
  readonly TimeToLiveStatus: 'ENABLING' | 'ENABLED' | 'DISABLED'
}

/** A table forgets its attribute with its time to live: one where it was turned off looks as if it had never been on. */
export function describeTimeToLive({ timeToLive }: TableDefinition): TimeToLiveDescription {
  if (timeToLive === undefined) return { TimeToLiveStatus: 'DISABLED' }
  return {
    AttributeName: timeToLive.attributeName,
    TimeToLiveStatus: timeToLive.filling === true ? 'ENABLING' : 'ENABLED',
  }
}
