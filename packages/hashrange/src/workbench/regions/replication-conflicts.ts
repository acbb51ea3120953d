import type { Conflict, Engine } from '@hashrange/engine'
import type { ConflictingWrite, ConflictsAnswer } from '@hashrange/workbench/answers'
import type { IsVisible } from './is-visible.ts'

const mostShown = 200

/** What was lost to a later write of another region. It is data: whoever may read the table in both regions sees it. */
export async function replicationConflicts(
  engine: Engine,
  accountId: string,
  isVisible: IsVisible,
): Promise<ConflictsAnswer> {
  const all = await engine.conflicts(undefined, undefined)
  const visible = all.filter(
    (conflict) =>
      conflict.accountId === accountId &&
      [conflict.winner, conflict.loser].every(({ region }) => isVisible(region, 'Scan', conflict.tableName)),
  )
  const conflicts = visible
    .slice(-mostShown)
    .toReversed()
    .map(({ tableName, key, winner, loser }) => ({
      tableName,
      key,
      winner: writeOf(winner),
      loser: writeOf(loser),
    }))
  return { conflicts, total: visible.length }
}

function writeOf({ region, at, microsecond, isDeletion, item }: Conflict['winner']): ConflictingWrite {
  return { region, atMs: at.getTime(), microsecond, isDeletion, item: item ?? null }
}
