import { writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { AnyModel } from '@hashrange/model'
import { formatNames, isFormat, render, type Format } from '../../commands/generate-formats.ts'
import { ApiRefusal } from '../api-handler.ts'
import { newPathFromPage } from './model-path.ts'

export interface ExportedModel {
  readonly text: string
  readonly notes: readonly string[]
  readonly fileName: string
}

/** A model in one of the forms that `hashrange generate` knows. */
export function exportModel(model: AnyModel, format: string): ExportedModel {
  if (!isFormat(format)) {
    throw new ApiRefusal(
      400,
      'NoSuchFormat',
      `There is no format "${format}". There are ${formatNames.join(', ')}.`,
    )
  }
  const { text, notes } = render(format, model, { isJson: false, base: undefined })
  return { text, notes, fileName: `${model.description.name}${forms[format].ending}` }
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
}

/** The source of a model file, made of a file of NoSQL Workbench or of AWS's modelling tool. */
export async function importModel(
  text: string,
  fileName: string,
): Promise<{ readonly source: string; readonly notes: readonly string[]; readonly name: string }> {
  const { modelSource, readDataModel, readNoSqlWorkbench } = await import('@hashrange/model/import')
  const document = parseDocument(text)
  try {
    const { description, notes } =
      'DataModel' in document
        ? readNoSqlWorkbench(document)
        : readDataModel(document, basename(fileName).replace(/\.json$/i, ''))
    return { source: modelSource(description, notes), notes, name: description.name }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ApiRefusal(400, 'NoModel', `${fileName} cannot be read as a model: ${reason}`)
  }
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
  throw new ApiRefusal(400, 'NoModel', 'A model of NoSQL Workbench is an object with "DataModel".')
}

/** Writes a new model file below the working directory. What is there is never written over. */
export async function saveModel(file: string, source: string, folder: string): Promise<string> {
  const path = await newPathFromPage(file, folder)
  try {
    await writeFile(path, source, { flag: 'wx' })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST')
      throw new ApiRefusal(409, 'FileExists', `There is a file ${file} already. Choose another name.`)
    if (code === 'ENOENT')
      throw new ApiRefusal(404, 'NoSuchFolder', `There is no folder ${dirname(file)} below ${folder}.`)
    throw error
  }
  return path
}
