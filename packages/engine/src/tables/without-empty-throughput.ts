import type { UpdateTableInput } from '../api/table-inputs.ts'

/** A change of a table without throughput that contains no number: the service ignores it, both as a change and as a
 *  conflict with other changes. */
export function withoutEmptyThroughput(input: UpdateTableInput): UpdateTableInput {
  const { OnDemandThroughput, WarmThroughput, ...rest } = input
  if (!isEmpty(OnDemandThroughput) && !isEmpty(WarmThroughput)) return input
  return {
    ...rest,
    ...(OnDemandThroughput !== undefined && !isEmpty(OnDemandThroughput) && { OnDemandThroughput }),
    ...(WarmThroughput !== undefined && !isEmpty(WarmThroughput) && { WarmThroughput }),
  }
}

function isEmpty(throughput: object | undefined): boolean {
  return throughput !== undefined && Object.keys(throughput).length === 0
}
