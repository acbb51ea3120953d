import type { ListTagsOfResourceInput } from '../api/table-inputs.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'
import { findTaggedTable } from '../tables/find-tagged-table.ts'

export interface ListTagsOfResourceOutput {
  readonly Tags: readonly { readonly Key: string; readonly Value: string }[]
}

/** A table has few enough tags for one page. */
export async function listTagsOfResource(
  engine: EngineParts,
  scope: Scope,
  input: ListTagsOfResourceInput,
): Promise<ListTagsOfResourceOutput> {
  const { tags } = findTaggedTable(engine.catalog, scope, input.ResourceArn).definition
  return { Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) }
}
