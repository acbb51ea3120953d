import type { TableDescription } from '../../description.ts'
import { matchKey } from '../../keys/match-key.ts'
import type { StoredItem } from '../item-size.ts'
import { attributeOf, type ModelIndex } from '../model-index.ts'

/** Which entity, guard or index item an item is: from its discriminator, or from its primary key. */
export function kindOfItem(model: ModelIndex, item: StoredItem): string | undefined {
  for (const { discriminator } of model.model.tables) {
    const said = item[discriminator]?.S
    if (said !== undefined && model.ownerOf(said) !== undefined) return said
  }
  for (const table of model.model.tables) {
    const kind = kindByKey(model, table, item)
    if (kind !== undefined) return kind
  }
  return undefined
}

/** Indexes that copy keys alone have no discriminator. */
function kindByKey(model: ModelIndex, table: TableDescription, item: StoredItem): string | undefined {
  const found = model
    .kindsIn({ name: table.id, table })
    .filter(({ entity, partition, sort }) =>
      [...partition, ...sort].every(
        (template) =>
          matchKey(template, item[template.attribute], (name) => attributeOf(entity, name)) !== undefined,
      ),
    )
  const [only] = found
  return found.length === 1 ? only?.kind : undefined
}
