import {
  carryOut,
  codeOf,
  planTable,
  TemplateError,
  type Declared,
  type ResourcePlan,
  type ResourcePort,
  type TableDesign,
  type TablePlan,
} from '@hashrange/templates'

export interface ApplyChoice {
  /** Only compares. */
  readonly isDiff?: boolean
  /** Whether a table may be deleted and created again, which deletes its items. */
  readonly mayReplace: (plan: TablePlan) => boolean | Promise<boolean>
  /** Of the names before what is told. */
  readonly width?: number | undefined
  readonly tell: (line: string) => void
}

/** Creates the tables as declared, and reports what was done for each. Returns those that were left as they are
 *  because they would have to be replaced. */
export async function applyTables(
  port: ResourcePort,
  { tables }: Pick<Declared, 'tables'>,
  { isDiff = false, width = tableWidth(tables), mayReplace, tell }: ApplyChoice,
): Promise<readonly TablePlan[]> {
  const left: TablePlan[] = []
  for (const table of tables) {
    const plan = await naming(table, () => planTable(port, table))
    const label = `  ${table.name.padEnd(width)}  `
    if (plan.kind === 'replace' && (isDiff || !(await mayReplace(plan)))) {
      tell(`${label}${isDiff ? 'would be' : 'must be'} replaced, because ${plan.reason}: its items would be lost`)
      left.push(plan)
      continue
    }
    if (!isDiff) await naming(table, () => carryOut(port, plan))
    tell(label + outcomeOf(plan, isDiff) + (plan.kind === 'create' ? regionsOf(table) : ''))
  }
  return left
}

/** What is wrong with a declaration is reported with its place. */
async function naming<T>({ origin }: TableDesign, action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof Error) || codeOf(error) !== 'ValidationException') throw error
    throw new TemplateError(`${origin}: ${error.message}`, { cause: error })
  }
}

/** `, in eu-west-1 with a replica in us-west-2` */
function regionsOf({ global }: TableDesign): string {
  const regions = global?.replicas.map(({ region }) => region) ?? []
  if (global === undefined || regions.length === 0) return ''
  return ` in ${global.region}, with ${regions.length === 1 ? 'a replica' : 'replicas'} in ${regions.join(', ')}`
}

export function tableWidth(tables: Declared['tables']): number {
  return Math.min(40, Math.max(0, ...tables.map(({ name }) => name.length)))
}

export function outcomeOf({ kind, steps, reason }: ResourcePlan, isDiff: boolean): string {
  const done = (word: string): string => (isDiff ? `would be ${word}` : word)
  switch (kind) {
    case 'unchanged':
      return 'unchanged'
    case 'skipped':
      return `skipped: ${reason}`
    case 'create':
      return done('created')
    case 'replace':
      return `${done('replaced')}, because ${reason}`
    case 'update':
      return `${done('updated')}: ${steps.map(({ does }) => does).join('; ')}`
  }
}
