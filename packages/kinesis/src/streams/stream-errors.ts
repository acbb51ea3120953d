import { ServiceError } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'

export function invalidArgument(message: string): ServiceError {
  return new ServiceError('InvalidArgumentException', message)
}

export function resourceNotFound(message: string): ServiceError {
  return new ServiceError('ResourceNotFoundException', message)
}

export function resourceInUse(message: string): ServiceError {
  return new ServiceError('ResourceInUseException', message)
}

export function limitExceeded(message: string): ServiceError {
  return new ServiceError('LimitExceededException', message)
}

export function streamNotFound({ accountId }: Scope, streamName: string): ServiceError {
  return resourceNotFound(`Stream ${streamName} under account ${accountId} not found.`)
}

/** The words of operations that change shards. */
export function shardNotFound({ accountId }: Scope, streamName: string, shardName: string): ServiceError {
  return resourceNotFound(`Could not find shard ${shardName} in stream ${streamName} under account ${accountId}.`)
}

/** The words of operations that read them. */
export function shardMissing({ accountId }: Scope, streamName: string, shardName: string): ServiceError {
  return resourceNotFound(`Shard ${shardName} in stream ${streamName} under account ${accountId} does not exist`)
}

export const shardLimit = 1_000

export function shardLimitExceeded({ accountId, region }: Scope, current: number, more: number): ServiceError {
  return limitExceeded(
    `This request would exceed the shard limit for the account ${accountId} in ${region}. Current shard count for the account: ${current}. Limit: ${shardLimit}. Number of additional shards that would have resulted from this request: ${more}. Refer to the AWS Service Limits page (http://docs.aws.amazon.com/general/latest/gr/aws_service_limits.html) for current limits and how to request higher limits.`,
  )
}
