import {
  joined,
  readDeclared,
  TemplateError,
  type Declared,
  type ReadOptions,
  type TableDesign,
} from '@hashrange/templates'

export type TablesOfModel = (file: string, region: string) => Promise<readonly TableDesign[]>

/** What files declare: templates, plans and states of infrastructure tools, and models. Model files are code: only callers
 *  that may run it provide a way to read them. */
export async function readFiles(
  files: readonly string[],
  options: ReadOptions,
  tablesOfModel: TablesOfModel = refuseModel,
): Promise<Declared> {
  const parts: Declared[] = []
  for (const file of files) {
    const isModel = /\.[cm]?[jt]s$/.test(file)
    parts.push(
      isModel
        ? {
            tables: await tablesOfModel(file, options.region),
            resources: [],
            functions: [],
            skipped: [],
            problems: [],
          }
        : readDeclared(file, options),
    )
  }
  return joined(parts)
}

function refuseModel(file: string): never {
  throw new TemplateError(`${file} is code. To test a model, import it: testDatabase(model).`)
}
