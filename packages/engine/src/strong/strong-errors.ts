import { ServiceError, validationException } from '@hashrange/core'

/** A region that does not reach another one can neither write nor read consistently. The service does not document the
 *  error. This code is retried by its SDKs, and says for certain that nothing was written. */
export function regionUnreachable(region: string): ServiceError {
  return new ServiceError(
    'ServiceUnavailable',
    `The replica in ${region} cannot reach the other Regions of its global table. Use another Region, or try again later.`,
  )
}

export function replicatedWriteConflict(): ServiceError {
  return new ServiceError(
    'ReplicatedWriteConflictException',
    'One or more items in this request are being modified by a request in another Region.',
  )
}

/** A global table is taken apart as a whole. */
export function onlyOneReplica(): ServiceError {
  return validationException(
    'Deletion of only one table replica is not supported for global tables with MultiRegionConsistency set to STRONG.',
  )
}

export function noTransactions(): ServiceError {
  return validationException(
    'Transaction operations are not supported on global tables with multi-Region strong consistency (MRSC).',
  )
}
