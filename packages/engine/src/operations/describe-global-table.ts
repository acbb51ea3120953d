import type { DescribeGlobalTableInput } from '../api/global-table-inputs.ts'
import {
  describeGlobalTable as describe,
  requireGlobalTable,
  type GlobalTableDescription,
} from '../replication/legacy-global-tables.ts'
import type { Scope } from '../scope.ts'
import type { EngineParts } from './engine-parts.ts'

export function describeGlobalTable(
  { catalog }: EngineParts,
  scope: Scope,
  input: DescribeGlobalTableInput,
): { readonly GlobalTableDescription: GlobalTableDescription } {
  return { GlobalTableDescription: describe(requireGlobalTable(catalog, scope, input.GlobalTableName)) }
}
