import { validationException, type ServiceError } from '@hashrange/core'
import type { UpdateTableInput } from '../api/table-inputs.ts'
import type { Scope } from '../scope.ts'
import { assertRegion } from './known-regions.ts'
import type { StrongUpdate } from './strong-global-table.ts'

/** Whether a request is about the replicas of a global table. */
export function changesReplicas(input: UpdateTableInput): boolean {
  const { ReplicaUpdates, GlobalTableWitnessUpdates, MultiRegionConsistency } = input
  return [ReplicaUpdates, GlobalTableWitnessUpdates, MultiRegionConsistency].some((one) => one !== undefined)
}

/** What the service rejects in replicas and witnesses before it looks for the table. */
export function readStrongUpdate(input: UpdateTableInput, { region }: Scope): StrongUpdate {
  const { ReplicaUpdates: replicas = [], GlobalTableWitnessUpdates: witnesses = [], MultiRegionConsistency } = input
  const creates = replicas.some(({ Create }) => Create !== undefined)
  if (MultiRegionConsistency !== undefined && !creates) {
    throw validationException(
      'MultiRegionConsistency is only valid when you create a global table by specifying one or more Create actions in the ReplicaUpdates action list.',
    )
  }
  for (const { Create, Delete } of witnesses) {
    const [action, ...others] = [Create, Delete].filter((one) => one !== undefined)
    if (action === undefined || others.length > 0) {
      throw validationException('Each witness update must have exactly one action: Create or Delete.')
    }
    assertRegion(action.RegionName)
    if (action.RegionName === region) {
      throw validationException('The witness must be in a different Region than the replicas.')
    }
    if (Create !== undefined && MultiRegionConsistency !== 'STRONG') throw witnessOfEventual()
  }
  return { replicas, witnesses }
}

export function witnessOfEventual(): ServiceError {
  return validationException(
    'A witness can only be created or deleted together with the replicas of a global table with multi-Region strong consistency (MRSC).',
  )
}
