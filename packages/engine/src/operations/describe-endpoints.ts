import type { UntypedInput } from '../api/inputs.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'

export interface DescribeEndpointsOutput {
  readonly Endpoints: readonly { readonly Address: string; readonly CachePeriodInMinutes: number }[]
}

/** The service's address in the region. Only a server knows its own address, and may return that instead. */
export async function describeEndpoints(
  _engine: EngineParts,
  scope: Scope,
  _input: UntypedInput,
): Promise<DescribeEndpointsOutput> {
  return { Endpoints: [{ Address: `dynamodb.${scope.region}.amazonaws.com`, CachePeriodInMinutes: 1440 }] }
}
