import { catalogVersionKey, droppedTableKey, purgeKey, tableVersionKey } from '../layout/key-space.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'
import type { Value, Write } from '../store/store.ts'
import { tableNotFound } from './catalog-errors.ts'
import { idsBesideItems, idsOfCuts, isRemembered, purgeMark } from './leftovers.ts'
import { encodeDefinition, encodeTableVersion, keyOfDefinition, parseDefinition } from './stored-definition.ts'
import type { Table } from './table.ts'

/** Replaces a definition. What was stored under identifiers that are no longer needed is marked for removal. */
export function changeWrites(
  isShared: boolean,
  current: TableDefinition,
  definition: TableDefinition,
): readonly Write[] {
  const kept = new Set([...idsBesideItems(definition), ...idsOfCuts(definition)])
  const gone = [...idsBesideItems(current), ...idsOfCuts(current)].filter((id) => !kept.has(id))
  return [
    { kind: 'put', key: keyOfDefinition(definition), value: encodeDefinition(definition) },
    ...newsWrites(isShared, definition),
    ...gone.map(indexPurge),
  ]
}

/** Removes a definition, and marks what the table has stored for removal. `kept` replaces the mark on its items. */
export function dropWrites(
  isShared: boolean,
  current: TableDefinition,
  remains: TableDefinition,
  kept: readonly Write[] | undefined,
): readonly Write[] {
  const { tableId } = current
  const writes: Write[] = [
    { kind: 'delete', key: keyOfDefinition(current) },
    ...(kept ?? [{ kind: 'put', key: purgeKey(tableId), value: purgeMark('table') }]),
    ...newsWrites(isShared),
  ]
  if (isShared) writes.push({ kind: 'delete', key: tableVersionKey(tableId) })
  writes.push(...idsBesideItems(current).map(indexPurge))
  if (isRemembered(remains)) {
    writes.push({ kind: 'put', key: droppedTableKey(tableId), value: encodeDefinition(remains) })
  }
  return writes
}

/** Notifies other servers of a change. */
export function newsWrites(isShared: boolean, definition?: TableDefinition): readonly Write[] {
  if (!isShared) return []
  const news: Write = { kind: 'add', key: catalogVersionKey(), amounts: [1] }
  if (definition === undefined) return [news]
  return [news, { kind: 'put', key: tableVersionKey(definition.tableId), value: encodeTableVersion(definition) }]
}

/** The definition that the store has of a table, which may have been deleted and created again. */
export function currentDefinition(table: Table, value: Value | undefined): TableDefinition {
  const current = value === undefined ? undefined : parseDefinition(value)
  if (current === undefined || current.tableId !== table.id) throw tableNotFound(table.name)
  return current
}

const indexPurge = (id: number): Write => ({ kind: 'put', key: purgeKey(id), value: purgeMark('index') })
