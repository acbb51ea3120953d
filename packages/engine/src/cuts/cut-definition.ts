import { ServiceError } from '@hashrange/core'
import type { CutDefinition, TableDefinition } from '../definitions/table-definition.ts'
import { MustWait } from '../work/must-wait.ts'

/** The definition of a table when work starts that reads the table as it is now. */
export function withCut(definition: TableDefinition, cut: CutDefinition): TableDefinition {
  return { ...definition, cuts: [...(definition.cuts ?? []).filter(({ id }) => id !== cut.id), cut] }
}

/** Every write keeps what it changes for each of them. */
const mostCuts = 50

/** Background work that was accepted before others made all the cuts that a table may have. It is started again a few
 *  seconds later. */
export class CutMustWait extends MustWait {
  constructor(tableName: string) {
    super(`${tableName} is being read as it was at ${mostCuts} moments`)
    this.name = 'CutMustWait'
  }
}

/** Makes a cut for work that can wait. */
export function withCutInTurn(definition: TableDefinition, cut: CutDefinition): TableDefinition {
  if (!hasRoom(definition)) throw new CutMustWait(definition.tableName)
  return withCut(definition, cut)
}

/** Rejects a request that would need more cuts than writes can bear. */
export function assertFewCuts(definition: TableDefinition): void {
  if (hasRoom(definition)) return
  throw new ServiceError(
    'LimitExceededException',
    `Subscriber limit exceeded: ${mostCuts} backups, restores and exports of the table ${definition.tableName} are in progress`,
  )
}

function hasRoom({ cuts = [] }: TableDefinition): boolean {
  return cuts.length < mostCuts
}

export function withoutCut(definition: TableDefinition, cutId: number): TableDefinition {
  return withCuts(
    definition,
    (definition.cuts ?? []).filter(({ id }) => id !== cutId),
  )
}

export function withoutCuts(definition: TableDefinition): TableDefinition {
  return withCuts(definition, [])
}

export function hasCut({ cuts = [] }: TableDefinition, cutId: number): boolean {
  return cuts.some(({ id }) => id === cutId)
}

/** Whether somebody still reads the table as it was: then nothing of its past may be removed, even if the table was
 *  deleted. */
export function isBeingRead({ cuts = [] }: TableDefinition): boolean {
  return cuts.length > 0
}

function withCuts(definition: TableDefinition, cuts: readonly CutDefinition[]): TableDefinition {
  const { cuts: _, ...rest } = definition
  return cuts.length === 0 ? rest : { ...rest, cuts }
}
