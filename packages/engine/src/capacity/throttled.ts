import { ServiceError } from '@hashrange/core'
import type { Side } from '../partitions/partition-limits.ts'
import type { Exhaustion } from '../partitions/throughput.ts'

/** One resource that is exhausted, and why. */
export interface ThrottleCause {
  /** The ARN of the table or index. */
  readonly resource: string
  readonly isIndex: boolean
  readonly side: Side
  readonly mode: 'PROVISIONED' | 'PAY_PER_REQUEST'
  readonly exhaustions: readonly Exhaustion[]
  /** Whether it is an index that blocks a write to its table. */
  readonly isBackPressure: boolean
}

/** A request that was throttled: the exception and its reasons as the service reports them. */
export class ThrottledError extends ServiceError {
  readonly causes: readonly ThrottleCause[]

  constructor(causes: readonly ThrottleCause[]) {
    const { code, message } = exceptionFor(causes)
    const field = code === 'ThrottlingException' ? 'throttlingReasons' : 'ThrottlingReasons'
    super(code, message, { [field]: causes.flatMap(reasonsOf) })
    this.causes = causes
  }
}

/** The throttling error, if `attempt` ends with one. */
export function throttledBy(attempt: () => void): ThrottledError | undefined {
  try {
    attempt()
    return undefined
  } catch (error) {
    if (error instanceof ThrottledError) return error
    throw error
  }
}

/** Like `TableWriteKeyRangeThroughputExceeded`. */
export function reasonName({ isIndex, side }: ThrottleCause, exhaustion: Exhaustion): string {
  return `${isIndex ? 'Index' : 'Table'}${side === 'read' ? 'Read' : 'Write'}${exhaustion}Exceeded`
}

function reasonsOf(cause: ThrottleCause): readonly { readonly reason: string; readonly resource: string }[] {
  return cause.exhaustions.map((exhaustion) => ({
    reason: reasonName(cause, exhaustion),
    resource: cause.resource,
  }))
}

function exceptionFor(causes: readonly ThrottleCause[]): { readonly code: string; readonly message: string } {
  const [cause] = causes
  if (cause?.mode === 'PROVISIONED') {
    return {
      code: 'ProvisionedThroughputExceededException',
      message: cause.isIndex
        ? 'The level of configured provisioned throughput for one or more global secondary indexes of the table was exceeded. Consider increasing your provisioning level for the under-provisioned global secondary indexes with the UpdateTable API'
        : 'The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.',
    }
  }
  const exhaustions = new Set(causes.flatMap((one) => one.exhaustions))
  if (exhaustions.has('AccountLimit')) {
    return {
      code: 'RequestLimitExceeded',
      message:
        'Throughput exceeds the current throughput limit for your account. Please contact AWS Support at https://aws.amazon.com/support to request a limit increase',
    }
  }
  if (exhaustions.has('MaxOnDemandThroughput')) {
    return {
      code: 'ThrottlingException',
      message: 'Throughput exceeds the maximum OnDemandThroughput configured on table or index',
    }
  }
  return {
    code: 'ThrottlingException',
    message:
      'Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so please try again shortly. If exceptions persist, check if you have a hot key: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html',
  }
}
