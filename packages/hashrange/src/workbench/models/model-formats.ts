import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { AnyModel } from '@hashrange/model'
import type { ExistingTable } from '@hashrange/model/import'
import { formatNames, isFormat, render, type Format, type Rendered } from '../../commands/generate-formats.ts'
import { Mistake } from '../../mistake.ts'
import { isTemplate, templateFolder } from '../../commands/templates.ts'
import { ApiRefusal } from '../api-handler.ts'

export interface ExportedModel {
  readonly text: string
  readonly notes: readonly string[]
  readonly fileName: string
}

export interface ImportedModel {
  readonly source: string
  readonly notes: readonly string[]
  readonly name: string
}

/** A model in one of the forms that `hashrange generate` knows. */
export async function exportModel(model: AnyModel, format: string): Promise<ExportedModel> {
  if (!isFormat(format)) {
    throw new ApiRefusal(
      400,
      'NoSuchFormat',
      `There is no format "${format}". The formats are ${formatNames.join(', ')}.`,
    )
  }
  const { text, notes } = await rendered(format, model)
  return { text, notes, fileName: `${model.description.name}${forms[format].ending}` }
}

async function rendered(format: Format, model: AnyModel): Promise<Rendered> {
  try {
    return await render(format, model, { isJson: false, base: undefined })
  } catch (error) {
    if (error instanceof Mistake) throw new ApiRefusal(400, 'NotPossible', error.message)
    throw error
  }
}

/** The forms there are, each by the name to ask for it and the one to show. */
export function exportFormats(): readonly { readonly name: string; readonly title: string }[] {
  return formatNames.map((name) => ({ name, title: forms[name].title }))
}

const forms: Readonly<Record<Format, { readonly title: string; readonly ending: string }>> = {
  cloudformation: { title: 'CloudFormation', ending: '.template.yaml' },
  cdk: { title: 'CDK', ending: '-stack.ts' },
  terraform: { title: 'Terraform', ending: '.tf' },
  'create-table': { title: 'CreateTable', ending: '.create-table.json' },
  'nosql-workbench': { title: 'NoSQL Workbench', ending: '.nosql-workbench.json' },
  'data-model': { title: 'AWS data model', ending: '.dynamodb_data_model.json' },
  markdown: { title: 'Markdown', ending: '.md' },
  'sample-data': { title: 'Sample data', ending: '.sample-data.json' },
  iam: { title: 'IAM policies', ending: '.iam.json' },
}

/** A model to begin with, as `hashrange init` writes it. */
export async function modelOfTemplate(name: string): Promise<ImportedModel> {
  if (!isTemplate(name)) throw new ApiRefusal(404, 'NoSuchTemplate', `There is no template "${name}".`)
  return { source: await readFile(join(templateFolder(name), `${name}.model.ts`), 'utf8'), notes: [], name }
}

/** The source of a model file, generated from a file of NoSQL Workbench or of AWS's modelling tool, or from what DescribeTable and
 *  Scan answer about a table: `{ Table, Items }`. */
export async function importModel(text: string, fileName: string): Promise<ImportedModel> {
  const { inferModel, modelSource, readDataModel, readNoSqlWorkbench } = await import('@hashrange/model/import')
  const document = parseDocument(text)
  const name = basename(fileName).replace(/\.json$/i, '')
  try {
    const { description, notes } =
      'DataModel' in document
        ? readNoSqlWorkbench(document)
        : isSample(document)
          ? inferModel(name, [{ description: document.Table, items: document.Items }])
          : readDataModel(document, name)
    return { source: modelSource(description, notes), notes, name: description.name }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ApiRefusal(400, 'NoModel', `${fileName} cannot be read as a model: ${reason}`)
  }
}

function isSample(
  document: object,
): document is { readonly Table: object; readonly Items: ExistingTable['items'] } {
  if (!('Table' in document) || !('Items' in document)) return false
  const { Table, Items } = document
  return typeof Table === 'object' && Table !== null && Array.isArray(Items) && Items.every(isObject)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseDocument(text: string): object {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    throw new ApiRefusal(
      400,
      'NoJson',
      `The file is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  if (typeof document === 'object' && document !== null && !Array.isArray(document)) return document
  throw new ApiRefusal(400, 'NoModel', 'A NoSQL Workbench model must be an object with "DataModel".')
}

/** Writes a new model file. An existing file is never overwritten, and links are not followed. */
export async function writeModel(path: string, source: string): Promise<void> {
  try {
    await writeFile(path, source, { flag: 'wx' })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') {
      throw new ApiRefusal(409, 'FileExists', `The file ${basename(path)} already exists. Choose another name.`)
    }
    if (code === 'ENAMETOOLONG') throw new ApiRefusal(400, 'BadRequest', 'The file name is too long.')
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'ENOSPC') {
      throw new ApiRefusal(
        403,
        'NotWritable',
        `${path} cannot be written (${code}). Choose another folder, or download the file.`,
      )
    }
    throw error
  }
}
