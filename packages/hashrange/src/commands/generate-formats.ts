import type { AnyModel } from '@hashrange/model'
import {
  cdk,
  cloudFormation,
  createTableInputs,
  dataModel,
  markdown,
  modelSamples,
  noSqlWorkbench,
  putRequests,
  setUpRequests,
  terraform,
} from '@hashrange/model/export'

/** What a model file can be turned into. */
export const formatNames = [
  'cloudformation',
  'cdk',
  'terraform',
  'create-table',
  'nosql-workbench',
  'data-model',
  'markdown',
  'sample-data',
] as const

export type Format = (typeof formatNames)[number]

export function isFormat(word: string): word is Format {
  return (formatNames as readonly string[]).includes(word)
}

export interface RenderOptions {
  readonly isJson: boolean
  readonly base: unknown
  readonly seed?: number
}

export interface Rendered {
  readonly text: string
  /** What the format cannot say. */
  readonly notes: readonly string[]
}

export async function render(
  format: Format,
  model: AnyModel,
  { isJson, base, ...samples }: RenderOptions,
): Promise<Rendered> {
  const { description } = model
  switch (format) {
    case 'cloudformation':
      return plain(cloudFormation(description, isJson ? 'json' : 'yaml'))
    case 'cdk':
      return plain(cdk(description))
    case 'terraform':
      return plain(terraform(description))
    case 'create-table':
      return createTable(model)
    case 'nosql-workbench':
      return plain(json(noSqlWorkbench(description, { ...samples, base })))
    case 'data-model':
      return plain(json(await dataModel(description, { ...samples, base })))
    case 'markdown':
      return plain(markdown(description))
    case 'sample-data':
      return plain(json(putRequests(modelSamples(model, samples))))
  }
}

/** One table is one input, as the AWS CLI takes it. */
function createTable({ description }: AnyModel): Rendered {
  const inputs = createTableInputs(description)
  const others = setUpRequests(description).filter(({ operation }) => operation !== 'CreateTable')
  return {
    text: json(inputs.length === 1 ? inputs[0] : inputs),
    notes: others.map(
      ({ operation, input }) => `CreateTable cannot express this: ${operation} ${JSON.stringify(input)}`,
    ),
  }
}

function plain(text: string): Rendered {
  return { text, notes: [] }
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
