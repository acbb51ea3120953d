import type { CutDefinition, TableDefinition } from '../catalog/table-definition.ts'

/** What a table's definition becomes when work begins that reads the table as it is at this moment. */
export function withCut(definition: TableDefinition, cut: CutDefinition): TableDefinition {
  return { ...definition, cuts: [...(definition.cuts ?? []).filter(({ id }) => id !== cut.id), cut] }
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
