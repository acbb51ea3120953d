import { validationException } from '@hashrange/core'
import type { UntagResourceInput } from '../api/table-inputs.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'
import { findTaggedTable } from '../tables/find-tagged-table.ts'
import { removeTags } from '../tables/read-tags.ts'

/** The service answers with an empty body. */
export async function untagResource(
  engine: EngineParts,
  scope: Scope,
  input: UntagResourceInput,
): Promise<undefined> {
  if (input.TagKeys.length === 0) throw validationException('Atleast one Tag Key needs to be provided as Input.')
  const table = findTaggedTable(engine.catalog, scope, input.ResourceArn)
  await engine.catalog.change(table, (definition) => ({
    ...definition,
    tags: removeTags(definition.tags, input.TagKeys),
  }))
}
