import { TemplateError, type FunctionDesign, type ResourcePort } from '@hashrange/templates'
import { afterTables, applyResources, beforeTables, labelWidth } from './apply-resources.ts'
import { applyTables, tableWidth } from './apply-tables.ts'
import { readFiles, type TablesOfModel } from './read-files.ts'

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

/** Makes what files declare; whatever prevents that is an error. Functions are left to the caller, who may run their code
 *  where it is. */
export async function applyFiles(
  port: ResourcePort,
  files: readonly string[],
  applying: Applying,
): Promise<readonly FunctionDesign[]> {
  const { accountId, region, stack, stage, parameters, tablesOfModel, tell = () => undefined } = applying
  const known = { accountId, region, stack, stage, parameters: parameters && new Map(Object.entries(parameters)) }
  const declared = await readFiles(files, known, tablesOfModel)
  const [problem] = declared.problems
  if (problem !== undefined) throw new TemplateError(problem)
  const after = afterTables({ ...declared, functions: [] }, { accountId, region })
  const width = Math.max(tableWidth(declared.tables), labelWidth(declared.resources))
  const choice = { accountId, region, width, tell }
  await applyResources(port, beforeTables(declared), choice)
  const [left] = await applyTables(port, declared, { mayReplace: () => false, width, tell })
  if (left !== undefined)
    throw new TemplateError(
      `The table ${left.table.name} must be replaced to be as ${left.table.origin} declares it, because ${left.reason}. Delete it first; its items will be lost.`,
    )
  await applyResources(port, after, choice)
  return declared.functions
}
