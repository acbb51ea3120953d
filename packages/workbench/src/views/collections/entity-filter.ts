import type { ModelledEntities } from '../../answers/models.ts'
import { findIndex, keysOfSource } from '../../api/table-facts.ts'
import type { TableDescription } from '../../api-types.ts'
import { entityTerms } from '../items/find/entities.ts'
import { findRequest } from '../items/find/find-request.ts'

/** What a Scan must be told so that it returns these entities alone; undefined if the page has to choose among what comes.
 *  Entries of an index that lacks attributes may not say what they are: that is learnt from other items. */
export function entityFilter(
  table: TableDescription,
  indexName: string | undefined,
  modelled: ModelledEntities | undefined,
  entities: readonly string[],
): object | undefined {
  const index = findIndex(table, indexName)
  if (entities.length === 0 || (index !== undefined && index.Projection.ProjectionType !== 'ALL')) return undefined
  const found = findRequest(table, keysOfSource(table, indexName), {
    partition: [],
    sort: '',
    isDescending: false,
    entity: entities.flatMap((name) => entityTerms(table, modelled, name)),
    isPrefix: false,
  })
  return found.kind === 'find' ? found.find.input : undefined
}
