import * as library from '@hashrange/model'
import { ModelError, type AnyModel } from '@hashrange/model'
import * as exporting from '@hashrange/model/export'
import { modelSource, readDataModel, readNoSqlWorkbench } from '@hashrange/model/import'

/** What a document became: which step refused it, or that it went all the way. */
export type DocumentOutcome = 'refused' | 'refused as a model' | 'read'

/** Reads a document as a model, writes the model file, loads that, and writes it in every other form. Each step may refuse it, in words that
 *  are meant for people; anything else is thrown on. */
export async function checkModelDocument(document: unknown): Promise<DocumentOutcome> {
  const imported = await refusable(() =>
    isNoSqlWorkbench(document) ? readNoSqlWorkbench(document) : readDataModel(document, 'fuzz'),
  )
  if (imported === undefined) return 'refused'
  const source = modelSource(imported.description, imported.notes)
  const model = await refusable(() => loadSource(source))
  if (model === undefined) return 'refused as a model'
  for (const write of forms) await refusable(() => write(model))
  return 'read'
}

const forms: readonly ((model: AnyModel) => unknown)[] = [
  ({ description }) => JSON.parse(exporting.cloudFormation(description, 'json')),
  ({ description }) => exporting.cloudFormation(description, 'yaml'),
  ({ description }) => exporting.cdk(description),
  ({ description }) => exporting.terraform(description),
  ({ description }) => exporting.createTableInputs(description),
  ({ description }) => exporting.setUpRequests(description),
  ({ description }) => readNoSqlWorkbench(JSON.parse(JSON.stringify(exporting.noSqlWorkbench(description)))),
  async ({ description }) => readDataModel(JSON.parse(JSON.stringify(await exporting.dataModel(description)))),
  ({ description }) => exporting.markdown(description),
  (model) => exporting.putRequests(exporting.modelSamples(model)),
  ({ description }) => modelSource(description),
]

function isNoSqlWorkbench(document: unknown): boolean {
  return typeof document === 'object' && document !== null && 'DataModel' in document
}

async function refusable<T>(step: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof ModelError) return undefined
    throw error
  }
}

/** Runs a generated model file, which has no types of its own, in strict mode, as modules are. */
function loadSource(source: string): AnyModel {
  const [, names, body] = /^(?:\/\/.*\n)*import \{ (.*) \} from '@hashrange\/model'\n([^]*)$/.exec(source) ?? []
  if (names === undefined || body === undefined)
    throw new Error(`The source does not begin as it should: ${source}`)
  const returning = body
    .replace(/^export const (?=\S+ = model\(\{$)/m, 'return ')
    .replace(/^return \S+ = /m, 'return ')
  const exportedAs = /^export const (\S+) = model\(\{$/m.exec(body)?.[1] ?? ''
  // oxlint-disable-next-line typescript/no-implied-eval -- whether the source can be trusted is what is tested
  const run = new Function(
    'library',
    `'use strict'; { const ${exportedAs} = 0 }\nconst { ${names} } = library\n${returning}`,
  )
  return (run as (given: object) => AnyModel)(library)
}
