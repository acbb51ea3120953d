import type { TableDesign } from '../table-design.ts'

/** One request, and what it does, as a phrase: "adds the index byEmail". */
export interface Step {
  readonly does: string
  readonly operation: string
  readonly input: object
}

/** What has to be done for a table to be as it is declared. */
export interface TablePlan {
  readonly table: TableDesign
  readonly kind: 'create' | 'update' | 'replace' | 'unchanged'
  readonly steps: readonly Step[]
  /** Why nothing less than another table will do; its items are lost. */
  readonly reason?: string | undefined
}
