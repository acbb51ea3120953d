import { attributeOf, type Item } from '@hashrange/core'

const mostColumns = 24

/** The columns of each entity in a partition, so that the same attribute stands below itself: those that most of its items
 *  have first, and the keys of other sources last, since they repeat what the item says. */
export function alignColumns(
  rows: readonly Item[],
  entityName: (item: Item) => string | undefined,
  hidden: ReadonlySet<string>,
  isKey: (attribute: string) => boolean,
): ReadonlyMap<string | undefined, readonly string[]> {
  const counts = new Map<string | undefined, Map<string, number>>()
  for (const row of rows) {
    const entity = entityName(row)
    const ofEntity = counts.get(entity) ?? new Map<string, number>()
    counts.set(entity, ofEntity)
    for (const name of Object.keys(row)) {
      if (hidden.has(name) || isEntityMark(row, name, entity)) continue
      ofEntity.set(name, (ofEntity.get(name) ?? 0) + 1)
    }
  }
  return new Map([...counts].map(([entity, ofEntity]) => [entity, inOrder(ofEntity, isKey)]))
}

function inOrder(counts: ReadonlyMap<string, number>, isKey: (attribute: string) => boolean): readonly string[] {
  return [...counts]
    .toSorted(([one, ones], [other, others]) => Number(isKey(one)) - Number(isKey(other)) || others - ones)
    .slice(0, mostColumns)
    .map(([name]) => name)
}

/** The attribute that names the entity says nothing that its colour does not. */
function isEntityMark(row: Item, name: string, entity: string | undefined): boolean {
  const value = attributeOf(row, name)
  return value !== undefined && 'S' in value && value.S === entity
}
