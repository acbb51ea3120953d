import { limits } from '@hashrange/core'
import type { UntypedInput } from '../api/inputs.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'

export interface DescribeLimitsOutput {
  readonly AccountMaxReadCapacityUnits: number
  readonly AccountMaxWriteCapacityUnits: number
  readonly TableMaxReadCapacityUnits: number
  readonly TableMaxWriteCapacityUnits: number
}

export async function describeLimits(
  _engine: EngineParts,
  _scope: Scope,
  _input: UntypedInput,
): Promise<DescribeLimitsOutput> {
  return {
    AccountMaxReadCapacityUnits: limits.throughputPerAccount,
    AccountMaxWriteCapacityUnits: limits.throughputPerAccount,
    TableMaxReadCapacityUnits: limits.throughputPerTable,
    TableMaxWriteCapacityUnits: limits.throughputPerTable,
  }
}
