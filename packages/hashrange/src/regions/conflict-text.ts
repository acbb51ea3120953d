import type { Conflict, ConflictingWrite } from '@hashrange/engine'

/** A conflict as it is in JSON: dates are text. */
export type ReportedConflict = Omit<Conflict, 'foundAt' | 'winner' | 'loser'> & {
  readonly winner: ReportedWrite
  readonly loser: ReportedWrite
}

type ReportedWrite = Omit<ConflictingWrite, 'at'> & { readonly at: string | Date }

/** A conflict in two lines, for people. */
export function conflictText({ tableName, key, winner, loser }: ReportedConflict): string {
  const lost =
    loser.item === undefined
      ? loser.isDeletion
        ? 'a deletion'
        : 'an item that is too large to be kept here'
      : JSON.stringify(loser.item)
  return [
    `${tableName} ${JSON.stringify(key)}: the write in ${winner.region} at ${momentText(winner)} won${winner.isDeletion ? ' (a deletion)' : ''}.`,
    `  Lost: the write in ${loser.region} at ${momentText(loser)}: ${lost}`,
  ].join('\n')
}

function momentText({ at, microsecond }: ReportedWrite): string {
  return new Date(at).toISOString().replace('Z', `${String(microsecond).padStart(3, '0')}Z`)
}
