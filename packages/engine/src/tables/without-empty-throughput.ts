import type { UpdateTableInput } from '../api/table-inputs.ts'

/** A change of a table without the throughput that gives no number: the service takes no notice of it, neither to change
 *  anything nor to refuse it together with other changes. */
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
