import { validationException } from '@hashrange/core'
import type { TagResourceInput } from '../api/table-inputs.ts'
import type { EngineParts } from './engine-parts.ts'
import type { Scope } from '../scope.ts'
import { findTaggedTable } from '../tables/find-tagged-table.ts'
import { addTags } from '../tables/read-tags.ts'

/** The service answers with an empty body. */
export async function tagResource(engine: EngineParts, scope: Scope, input: TagResourceInput): Promise<undefined> {
  if (input.Tags.length === 0) throw validationException('Atleast one Tag needs to be provided as Input.')
  const table = findTaggedTable(engine.catalog, scope, input.ResourceArn)
  await engine.catalog.change(table, (definition) => ({
    ...definition,
    tags: addTags(definition.tags, input.Tags),
  }))
}
