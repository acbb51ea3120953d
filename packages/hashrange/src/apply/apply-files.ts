import { TemplateError, type TablePort } from '@hashrange/templates'
import { applyTables } from './apply-tables.ts'
import { readTables, type TablesOfModel } from './read-tables.ts'

export interface ApplyOptions {
  /** Of the template. */
  readonly parameters?: Readonly<Record<string, string>>
  /** The name of the stack. Tables without a name are named `stack-LogicalId`. */
  readonly stack?: string
  /** For serverless.yml. */
  readonly stage?: string
}

interface Applying extends ApplyOptions {
  readonly accountId: string
  readonly region: string
  readonly tablesOfModel?: TablesOfModel
  readonly tell?: (line: string) => void
}

/** Creates the tables that files declare; whatever prevents that is an error. */
export async function applyFiles(port: TablePort, files: readonly string[], applying: Applying): Promise<void> {
  const { accountId, region, stack, stage, parameters, tablesOfModel, tell = () => undefined } = applying
  const known = { accountId, region, stack, stage, parameters: parameters && new Map(Object.entries(parameters)) }
  const declared = await readTables(files, known, tablesOfModel)
  const [problem] = declared.problems
  if (problem !== undefined) throw new TemplateError(problem)
  const [left] = await applyTables(port, declared, { mayReplace: () => false, tell })
  if (left === undefined) return
  throw new TemplateError(
    `The table ${left.table.name} must be replaced to be as ${left.table.origin} declares it, because ${left.reason}. Delete it first; its items will be lost.`,
  )
}
