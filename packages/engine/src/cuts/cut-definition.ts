import { ServiceError } from '@hashrange/core'
import type { CutDefinition, TableDefinition } from '../definitions/table-definition.ts'
import { MustWait } from '../work/must-wait.ts'

/** What a table's definition becomes when work begins that reads the table as it is at this moment. */
export function withCut(definition: TableDefinition, cut: CutDefinition): TableDefinition {
  return { ...definition, cuts: [...(definition.cuts ?? []).filter(({ id }) => id !== cut.id), cut] }
}

/** Every write keeps what it changes for each of them. */
const mostCuts = 50

/** Work in the background that was accepted before others made all the cuts that a table may have. It is begun again a few seconds later. */
export class CutMustWait extends MustWait {
  constructor(tableName: string) {
    super(`${tableName} is being read as it was at ${mostCuts} moments`)
    this.name = 'CutMustWait'
  }
}

/** Makes a cut for work that can wait for its turn. */
export function withCutInTurn(definition: TableDefinition, cut: CutDefinition): TableDefinition {
  if (!hasRoom(definition)) throw new CutMustWait(definition.tableName)
  return withCut(definition, cut)
}

/** Refuses a request that would have one moment more be read than writes can bear. */
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

/** Whether anybody still reads the table as it was: then nothing of its past may go, even if it has been dropped. */
export function isBeingRead({ cuts = [] }: TableDefinition): boolean {
  return cuts.length > 0
}

function withCuts(definition: TableDefinition, cuts: readonly CutDefinition[]): TableDefinition {
  const { cuts: _, ...rest } = definition
  return cuts.length === 0 ? rest : { ...rest, cuts }
}
