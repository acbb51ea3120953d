import type { DescribeTimeToLiveInput } from '../api/table-inputs.ts'
import type { EngineParts } from './engine-parts.ts'
import { describeTimeToLive as describe, type TimeToLiveDescription } from '../expiry/describe-time-to-live.ts'
import type { Scope } from '../scope.ts'
import { findTable } from './describe-table.ts'

export interface DescribeTimeToLiveOutput {
  readonly TimeToLiveDescription: TimeToLiveDescription
}

export async function describeTimeToLive(
  engine: EngineParts,
  scope: Scope,
  input: DescribeTimeToLiveInput,
): Promise<DescribeTimeToLiveOutput> {
  return { TimeToLiveDescription: describe(findTable(engine, scope, input.TableName).definition) }
}
