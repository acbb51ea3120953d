import { isBeingRead, withoutCut } from '../cuts/cut-definition.ts'
import type { Value } from '../store/store.ts'
import type { TableDefinition } from '../definitions/table-definition.ts'

/** The identifiers under which a table has something stored besides its items. */
export function idsBesideItems({
  globalIndexes,
  localIndexes,
  timeToLive,
  restore,
  replication,
}: TableDefinition): readonly number[] {
  const ids = [...globalIndexes, ...localIndexes].flatMap(({ indexId, cutId }) =>
    cutId === undefined ? [indexId] : [indexId, cutId],
  )
  if (timeToLive !== undefined) ids.push(timeToLive.expiryIndexId)
  if (replication !== undefined) ids.push(replication.stampsId)
  if (restore?.source.kind === 'table') ids.push(restore.source.undoId)
  return ids
}

/** The identifiers under which something is only kept while it is being read. */
export function idsOfCuts({ cuts = [] }: TableDefinition): readonly number[] {
  return cuts.filter(({ kind }) => kind === 'reading').map(({ id }) => id)
}

/** Nobody fills the indexes of a deleted table. */
export function withoutIndexCuts(definition: TableDefinition): TableDefinition {
  return definition.globalIndexes.reduce(
    (changed, { cutId }) => (cutId === undefined ? changed : withoutCut(changed, cutId)),
    definition,
  )
}

/** Whether a deleted table must still be remembered. */
export function isRemembered(dropped: TableDefinition): boolean {
  return dropped.shards !== undefined || isBeingRead(dropped)
}

/** ON DISK: what a purge mark refers to. */
export function purgeMark(kind: 'table' | 'index'): Value {
  return Buffer.from(kind)
}
