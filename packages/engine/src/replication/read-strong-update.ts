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
  if (MultiRegionConsistency !== undefined && replicas.some(({ Create }) => Create === undefined)) {
    throw validationException(
      'Only Replica Create actions are supported when MultiRegionConsistency parameter is provided.',
    )
  }
  for (const { Create, Delete } of witnesses) {
    const [action, ...others] = [Create, Delete].filter((one) => one !== undefined)
    if (action === undefined || others.length > 0) {
      throw validationException('Each witness update must have exactly one action: Create or Delete.')
    }
    assertRegion(action.RegionName)
    if (Create !== undefined && MultiRegionConsistency !== 'STRONG') throw witnessOfEventual()
    if (Create?.RegionName === region) {
      throw validationException(
        'Cannot add a witness in the same region as an existing replica when creating a global table with MultiRegionConsistency set to STRONG.',
      )
    }
  }
  return { replicas, witnesses }
}

export function witnessOfEventual(): ServiceError {
  return validationException(
    'MultiRegionConsistency must be set as STRONG when GlobalTableWitnessUpdates parameter is present.',
  )
}
